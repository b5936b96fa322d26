"""The rules of consent: may this call run?

Pure: the standard library only. Knows no protocol, facade, file format, process, model or event loop.
"""
