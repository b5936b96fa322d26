// The official TypeScript SDK as an editor: PROMPT CHOICE AGENT. Prints what it typed, as JSON.
// CHOICE is the kind of an option, or `cancel`: stop the turn, and leave the question open until mm
// takes it back.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { Readable, Writable } from "node:stream";

const [prompt, choice, agent] = process.argv.slice(2);
const sdk = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk"); // heeds NODE_PATH, as import does not
const acp = await import(sdk);

const updates = [];
const questions = [];
const open = []; // promises that a question was taken back

const editor = acp
  .client({ name: "typescript" })
  .onNotification("session/update", ({ params }) => {
    updates.push(params.update);
  })
  .onRequest("session/request_permission", async ({ params, signal, agent }) => {
    questions.push(params);
    if (choice === "cancel") {
      const takenBack = once(signal, "abort");
      open.push(takenBack);
      await agent.notify("session/cancel", { sessionId: params.sessionId });
      await takenBack;
      return { outcome: { outcome: "cancelled" } };
    }
    const { optionId } = params.options.find((option) => option.kind === choice);
    return { outcome: { outcome: "selected", optionId } };
  });

const mm = spawn(agent, { stdio: ["pipe", "pipe", "inherit"] });
const stream = acp.ndJsonStream(Writable.toWeb(mm.stdin), Readable.toWeb(mm.stdout));
await editor.connectWith(stream, async (mm) => {
  const hello = await mm.request("initialize", { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {} });
  const { sessionId } = await mm.request("session/new", { cwd: process.cwd(), mcpServers: [] });
  const text = { type: "text", text: prompt };
  const { stopReason } = await mm.request("session/prompt", { sessionId, prompt: [text] });
  await Promise.all(open);
  console.log(JSON.stringify({ hello, updates, questions, stop_reason: stopReason }));
});
mm.stdin.end();
