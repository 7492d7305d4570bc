"""Images with an unmodified SDK of the upstream's own; RELAY_SDK names its module. Prints the parameters of `generate`."""
import ast
import importlib
import json
import os

runtime = importlib.import_module(os.environ["RELAY_SDK"])
images = importlib.import_module(os.environ["RELAY_SDK"] + ".resources.images.images")
with open(images.__file__) as source:
    generate = next(
        node
        for node in ast.walk(ast.parse(source.read()))
        if isinstance(node, ast.FunctionDef) and node.name == "generate"
    )
names = [each.arg for each in generate.args.kwonlyargs if not each.arg.startswith(("extra_", "timeout"))]

client = runtime.Ark(base_url=os.environ["RELAY_BASE_URL"], api_key=os.environ["RELAY_API_KEY"], max_retries=0)
order = json.loads(os.environ["RELAY_ORDER"])
types = importlib.import_module(os.environ["RELAY_SDK"] + ".types.images")
options = {
    "optimize_prompt_options": types.OptimizePromptOptions,
    "sequential_image_generation_options": types.SequentialImageGenerationOptions,
}
given = {
    name: options[name](**order[name]) if name in options else order[name] for name in order if name in names
}
made = client.images.generate(**given)
assert len(made.data) == 3 and all(each.url for each in made.data), made
assert made.usage.generated_images == 3, made
events = list(client.images.generate(**{**given, "stream": True}))
kinds = [each.type for each in events]
assert kinds == ["image_generation.partial_succeeded"] * 3 + ["image_generation.completed"], kinds
assert [each.image_index for each in events[:3]] == [0, 1, 2], events
usage = events[-1].usage
# One of the SDKs leaves it as it came.
assert (usage["generated_images"] if isinstance(usage, dict) else usage.generated_images) == 3, events
print(json.dumps(names))
