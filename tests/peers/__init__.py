"""Second opinions: ACP clients that others wrote drive `mm --acp` through a turn with a question.

To lock their versions anew, here:

    uv pip compile --universal --generate-hashes --no-header --python-version 3.11 \\
        requirements.in -o requirements.lock
    npm install --package-lock-only --omit-lockfile-registry-resolved
"""
