"""One call of a library, and what came of it as a line of JSON: for `python-libraries.ts`."""
import importlib
import json


def perform(module, name, place, what, *words):
    library = getattr(importlib.import_module(module), name)
    try:
        done = {"result": getattr(library(place), what)(*words)}
    except Exception as error:
        body = getattr(error, "body", None)
        inner = body.get("error", body) if isinstance(body, dict) else {}
        done = {"error": {
            "name": type(error).__name__,
            "message": str(error),
            "status": getattr(error, "status_code", None),
            "code": getattr(error, "code", None) or inner.get("code"),
            "requestID": getattr(error, "request_id", None),
        }}
    print(json.dumps(done))
