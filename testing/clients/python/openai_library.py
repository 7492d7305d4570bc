"""The unmodified `openai` package. Prints how often it called a model."""
import json
import os

from openai import AuthenticationError, NotFoundError, OpenAI
from pydantic import BaseModel

base_url = os.environ["RELAY_BASE_URL"]
client = OpenAI(base_url=base_url, api_key=os.environ["RELAY_API_KEY"], max_retries=0)
model = "RelayV1"
schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
weather = {"name": "get_weather", "description": "The weather", "parameters": schema}
question = {"role": "user", "content": "Use get_weather for Rome."}
calls = 0


class City(BaseModel):
    city: str


def called(answer):
    global calls
    calls += 1
    return answer


# Chat completions: create, stream, tools, parse.
chat = client.chat.completions
answer = called(chat.create(model=model, messages=[{"role": "user", "content": "2+3"}]))
assert "2+3 = 5" in answer.choices[0].message.content, answer
assert answer.usage.total_tokens > 0

chunks = list(called(chat.create(
    model=model, messages=[question], stream=True, stream_options={"include_usage": True},
)))
assert chunks[-1].usage.completion_tokens > 0, chunks[-1]

tools = [{"type": "function", "function": weather}]
first = called(chat.create(model=model, messages=[question], tools=tools)).choices[0]
assert first.finish_reason == "tool_calls", first
call = first.message.tool_calls[0]
assert isinstance(json.loads(call.function.arguments)["city"], str)
result = {"role": "tool", "tool_call_id": call.id, "content": "sunny"}
second = called(chat.create(model=model, messages=[question, first.message, result], tools=tools))
assert "sunny" in second.choices[0].message.content, second

parsed = called(chat.parse(model=model, messages=[question], response_format=City))
assert isinstance(parsed.choices[0].message.parsed, City), parsed

# Responses: create, stream, tools with what is stored, parse.
answer = called(client.responses.create(model=model, input="2+3"))
assert "2+3 = 5" in answer.output_text, answer
assert client.responses.retrieve(answer.id).output_text == answer.output_text
client.responses.delete(answer.id)

with client.responses.stream(model=model, input="hello") as stream:
    kinds = [event.type for event in stream]
    final = called(stream.get_final_response())
assert kinds[0] == "response.created" and kinds[-1] == "response.completed", kinds
assert final.usage.output_tokens > 0

tools = [{"type": "function", "strict": False, **weather}]
first = called(client.responses.create(model=model, input="Use get_weather for Rome.", tools=tools))
call = next(item for item in first.output if item.type == "function_call")
output = {"type": "function_call_output", "call_id": call.call_id, "output": "sunny"}
second = called(client.responses.create(
    model=model, previous_response_id=first.id, input=[output], tools=tools,
))
assert "sunny" in second.output_text, second

# Three turns with functions, with what came before sent again: nothing of it is stored.
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
try:
    client.responses.retrieve(told.id)
    raise AssertionError("it was stored")
except NotFoundError:
    pass

parsed = called(client.responses.parse(model=model, input="A city", text_format=City))
assert isinstance(parsed.output_parsed, City), parsed

# Refusals have the classes that callers catch.
try:
    OpenAI(base_url=base_url, api_key="bad", max_retries=0).responses.create(model=model, input="x")
    raise AssertionError("a bad key was let in")
except AuthenticationError as error:
    assert error.code == "invalid_api_key" and error.request_id.startswith("req_"), error
try:
    chat.create(model="gpt-4", messages=[question])
    raise AssertionError("an unknown model was found")
except NotFoundError as error:
    assert error.code == "model_not_found", error

print(calls)
