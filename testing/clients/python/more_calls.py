"""What the `openai` and `anthropic` packages call beside the table of situations. Prints how often a model was called."""
import os

from anthropic import Anthropic
from openai import NotFoundError, OpenAI

base_url, api_key = os.environ["RELAY_BASE_URL"], os.environ["RELAY_API_KEY"]
client = OpenAI(base_url=base_url, api_key=api_key, max_retries=0)
model = "RelayV1"
schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
weather = {"name": "get_weather", "description": "The weather"}
calls = 0


def called(answer):
    global calls
    calls += 1
    return answer


# A response is stored, read and deleted.
answer = called(client.responses.create(model=model, input="2+3"))
assert client.responses.retrieve(answer.id).output_text == answer.output_text
client.responses.delete(answer.id)

# Three turns with functions, with what came before sent again: nothing of it is stored.
tools = [{"type": "function", "strict": False, "parameters": schema, **weather}]
said = []
for city in ("Rome", "Oslo", "Lima"):
    said.append({"role": "user", "content": f"Use get_weather for {city}."})
    asked = {"model": model, "tools": tools, "store": False}
    turn = called(client.responses.create(input=said, **asked))
    call = next(item for item in turn.output if item.type == "function_call")
    said += turn.output
    said.append({"type": "function_call_output", "call_id": call.call_id, "output": f"rain in {city}"})
    told = called(client.responses.create(input=said, **asked))
    assert f"rain in {city}" in told.output_text and told.store is False, told
    said += told.output
for gone in (answer, told):
    try:
        client.responses.retrieve(gone.id)
        raise AssertionError("it is stored")
    except NotFoundError as error:
        assert error.code == "response_not_found", error

# Tokens are counted, and models listed, without a charge.
client = Anthropic(base_url=base_url.removesuffix("/v1"), api_key=api_key, max_retries=0)
question = {"role": "user", "content": "Use get_weather for Rome."}
counted = client.messages.count_tokens(
    model=model, messages=[question], tools=[{"input_schema": schema, **weather}],
)
assert counted.input_tokens > 0
assert next(iter(client.models.list())).id == model

print(calls, 0)
