"""Prints the steps of a plan that are not automatic, a line each: package, old, new, part, change."""

import json
import sys


def change(step):
    if step["change"] == "changed":
        words = {"isOptional": "optional"}.get(step["aspect"], step["aspect"])
        show = {True: "yes", False: "no"}
        old, new = (show.get(v, v) if isinstance(v, bool) else v for v in (step["from"], step["to"]))
        return f"{words} {old} → {new}"
    return f"{step['part']} {step['change']}"


text = sys.stdin.read()
for plan in json.loads(text) if text.strip() else []:
    for step in plan["steps"]:
        if step["verdict"] != "automatic":
            print(sys.argv[1], plan["from"], plan["to"], step["element"], change(step), sep="\t")
