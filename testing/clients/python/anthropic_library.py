"""The unmodified `anthropic` package. Prints how often it called a model."""
import os

from anthropic import Anthropic, AuthenticationError, NotFoundError

origin = os.environ["RELAY_BASE_URL"].removesuffix("/v1")
client = Anthropic(base_url=origin, api_key=os.environ["RELAY_API_KEY"], max_retries=0)
schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
given = {"model": "RelayV1", "max_tokens": 500}
weather = {"name": "get_weather", "description": "The weather", "input_schema": schema}
question = {"role": "user", "content": "Use get_weather for Rome."}
calls = 0


def called(answer):
    global calls
    calls += 1
    return answer


answer = called(client.messages.create(messages=[{"role": "user", "content": "2+3"}], **given))
assert "2+3 = 5" in answer.content[0].text, answer
assert answer.stop_reason == "end_turn" and answer.usage.output_tokens > 0

with client.messages.stream(messages=[{"role": "user", "content": "hello"}], **given) as stream:
    text = "".join(stream.text_stream)
    final = called(stream.get_final_message())
assert text != "" and final.content[0].text == text
assert final.usage.input_tokens > 0 and final.usage.output_tokens > 0

first = called(client.messages.create(messages=[question], tools=[weather], **given))
assert first.stop_reason == "tool_use", first
use = next(block for block in first.content if block.type == "tool_use")
result = {"type": "tool_result", "tool_use_id": use.id, "content": "sunny"}
turns = [question, {"role": "assistant", "content": first.content}, {"role": "user", "content": [result]}]
with client.messages.stream(messages=turns, tools=[weather], **given) as stream:
    second = called(stream.get_final_message())
assert "sunny" in second.content[0].text, second

counted = client.messages.count_tokens(model="RelayV1", messages=[question], tools=[weather])
assert counted.input_tokens > 0
assert next(iter(client.models.list())).id == "RelayV1"

try:
    Anthropic(base_url=origin, api_key="bad", max_retries=0).messages.create(messages=[question], **given)
    raise AssertionError("a bad key was let in")
except AuthenticationError as error:
    assert error.request_id.startswith("req_"), error
try:
    client.messages.create(messages=[question], **{**given, "model": "gpt-4"})
    raise AssertionError("an unknown model was found")
except NotFoundError:
    pass

print(calls)
