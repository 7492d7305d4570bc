"""Video tasks with an unmodified SDK of the upstream's own; RELAY_SDK names its module. Prints the parameters of `create`."""
import ast
import importlib
import json
import os

runtime = importlib.import_module(os.environ["RELAY_SDK"])
tasks = importlib.import_module(os.environ["RELAY_SDK"] + ".resources.content_generation.tasks")
with open(tasks.__file__) as source:
    create = next(
        node
        for node in ast.walk(ast.parse(source.read()))
        if isinstance(node, ast.FunctionDef) and node.name == "create"
    )
names = [each.arg for each in create.args.kwonlyargs if not each.arg.startswith(("extra_", "timeout"))]

client = runtime.Ark(base_url=os.environ["RELAY_BASE_URL"], api_key=os.environ["RELAY_API_KEY"], max_retries=0)
order = json.loads(os.environ["RELAY_ORDER"])
created = client.content_generation.tasks.create(**{name: order[name] for name in order if name in names})
assert created.id.startswith("cgt-"), created
task = client.content_generation.tasks.get(task_id=created.id)
while task.status in ("queued", "running"):
    task = client.content_generation.tasks.get(task_id=created.id)
assert task.status == "succeeded" and task.content.video_url, task
assert task.usage.completion_tokens > 0 and task.service_tier == order["service_tier"], task
listed = client.content_generation.tasks.list(page_size=10, service_tier=order["service_tier"])
assert [each.id for each in listed.items] == [task.id] and listed.total == 1, listed
client.content_generation.tasks.delete(task_id=task.id)
print(json.dumps(names))
