#!/usr/bin/env python3
"""Is this a SARIF 2.1.0 log?  sarif.py FILE [SCHEMA].  A structural validator: the properties that the
standard gives every object we write, which of them are required, and their types; and what the
standard asks beyond types (rule indices, URIs, execution orders).  With the standard's own schema
in the file SCHEMA the log is held against that, too."""
import json
import re
import sys

TEXT, WHOLE, FLAG = "text", "whole number", "true or false"
URI = re.compile(r"^(file://)?[A-Za-z0-9._~/%!$&'()*+,;=@-]+$")

# object: {property: (type, required)}; a type is a word above, an object's name, [type], a set
SHAPES = {
    "log": {"$schema": (TEXT, False), "version": ({"2.1.0"}, True), "runs": (["run"], True)},
    "run": {"tool": ("tool", True), "columnKind": ({"utf16CodeUnits", "unicodeCodePoints"}, False),
            "invocations": (["invocation"], False), "results": (["result"], False),
            "properties": ("bag", False)},
    "tool": {"driver": ("component", True)},
    "component": {"name": (TEXT, True), "version": (TEXT, False), "rules": (["rule"], False)},
    "rule": {"id": (TEXT, True), "shortDescription": ("multiformat", False)},
    "multiformat": {"text": (TEXT, True)},
    "message": {"text": (TEXT, True)},
    "invocation": {"executionSuccessful": (FLAG, True),
                   "toolExecutionNotifications": (["notification"], False)},
    "notification": {"message": ("message", True),
                     "level": ({"none", "note", "warning", "error"}, False)},
    "result": {"ruleId": (TEXT, False), "ruleIndex": (WHOLE, False), "message": ("message", True),
               "level": ({"none", "note", "warning", "error"}, False),
               "locations": (["location"], False), "relatedLocations": (["location"], False),
               "codeFlows": (["codeFlow"], False), "partialFingerprints": ("texts", False),
               "stacks": (["stack"], False), "properties": ("bag", False)},
    "stack": {"message": ("message", False), "frames": (["frame"], True)},
    "frame": {"location": ("location", False)},
    "location": {"message": ("message", False), "physicalLocation": ("physical", False),
                 "logicalLocations": (["logical"], False)},
    "physical": {"artifactLocation": ("artifact", True), "region": ("region", False)},
    "artifact": {"uri": (TEXT, True)},
    "region": {"startLine": (WHOLE, True), "startColumn": (WHOLE, False)},
    "logical": {"name": (TEXT, False), "kind": (TEXT, False)},
    "codeFlow": {"threadFlows": (["threadFlow"], True), "message": ("message", False)},
    "threadFlow": {"id": (TEXT, False), "message": ("message", False),
                   "locations": (["flowLocation"], True)},
    "flowLocation": {"location": ("location", False), "executionOrder": (WHOLE, False),
                     "importance": ({"important", "essential", "unimportant"}, False)},
}
NOT_EMPTY = {"threadFlow.locations", "codeFlow.threadFlows"}


def wrong(where, why):
    sys.exit(f"{where}: {why}")


def check(value, kind, where):
    if isinstance(kind, set):
        if value not in kind:
            wrong(where, f"{value!r} is none of {sorted(kind)}")
    elif isinstance(kind, list):
        if not isinstance(value, list):
            wrong(where, "not a list")
        for i, item in enumerate(value):
            check(item, kind[0], f"{where}[{i}]")
    elif kind == TEXT:
        if not isinstance(value, str):
            wrong(where, "not a text")
    elif kind == WHOLE:
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            wrong(where, "not a whole number")
    elif kind == FLAG:
        if not isinstance(value, bool):
            wrong(where, "not true or false")
    elif kind in ("bag", "texts"):
        if not isinstance(value, dict) or (kind == "texts" and
                                           not all(isinstance(v, str) for v in value.values())):
            wrong(where, "not an object (of texts)")
    else:
        check_object(value, kind, where)


def check_object(value, kind, where):
    if not isinstance(value, dict):
        wrong(where, "not an object")
    shape = SHAPES[kind]
    for name, item in value.items():
        if name not in shape:
            wrong(where, f"a {kind} has no property {name}")
        if f"{kind}.{name}" in NOT_EMPTY and not item:
            wrong(where, f"{name} is empty")
        check(item, shape[name][0], f"{where}.{name}")
    for name, (_, required) in shape.items():
        if required and name not in value:
            wrong(where, f"a {kind} needs {name}")
    if kind == "artifact" and not URI.match(value["uri"]):
        wrong(where, f"not a URI: {value['uri']}")
    if kind == "region" and min(value.values()) < 1:
        wrong(where, "lines and columns begin with 1")


def check_run(run):
    rules = run["tool"]["driver"].get("rules", [])
    if len({rule["id"] for rule in rules}) != len(rules):
        wrong("rules", "two with one id")
    for result in run.get("results", []):
        if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
            wrong("result", "ruleIndex and ruleId do not fit")
        for flow in result.get("codeFlows", []):
            orders = [s["executionOrder"] for t in flow["threadFlows"] for s in t["locations"]]
            if sorted(orders) != list(range(1, len(orders) + 1)):
                wrong("codeFlow", "the steps of all threads together are not 1, 2, ...")
            for thread in flow["threadFlows"]:
                mine = [s["executionOrder"] for s in thread["locations"]]
                if mine != sorted(mine):
                    wrong("threadFlow", "its steps are not in order")


with open(sys.argv[1], encoding="utf-8") as file:
    log = json.load(file)
check(log, "log", "log")
for each in log["runs"]:
    check_run(each)
if len(sys.argv) > 2:
    import jsonschema

    with open(sys.argv[2], encoding="utf-8") as file:
        schema = json.load(file)
    if "threadFlowLocation" not in schema["definitions"]:
        wrong(sys.argv[2], "not the schema of SARIF")
    jsonschema.Draft4Validator.check_schema(schema)
    checker = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
    for error in checker.iter_errors(log):
        wrong("/".join(map(str, error.absolute_path)), error.message)
