"""What the tests make the unmodified `openai` and `anthropic` packages do: see `text-library.ts`."""
import json

from anthropic import Anthropic
from openai import OpenAI
from pydantic import BaseModel

QUESTION = "Use get_weather for Rome."
WEATHER = "22 degrees"
schema = {
    "type": "object", "properties": {"city": {"type": "string"}},
    "required": ["city"], "additionalProperties": False,
}
weather = {"name": "get_weather", "description": "The weather of a city"}


class City(BaseModel):
    city: str


def say(content):
    return [{"role": "user", "content": content}]


def said(text, input_tokens, output_tokens, pieces=1, request_id=None):
    told = {"text": text, "inputTokens": input_tokens, "outputTokens": output_tokens, "pieces": pieces}
    return told if request_id is None else {**told, "requestId": request_id}


class Chat:
    def __init__(self, place):
        client = OpenAI(base_url=place["origin"] + "/v1", api_key=place["key"], max_retries=place.get("retries", 2))
        self.chat = client.chat.completions
        self.terms = {"model": place["model"], "max_tokens": place.get("outputTokensMax", 500)}

    def say(self, prompt):
        answer = self.chat.create(messages=say(prompt), **self.terms)
        usage = answer.usage
        return said(
            answer.choices[0].message.content, usage.prompt_tokens, usage.completion_tokens,
            request_id=answer._request_id,
        )

    def stream(self, prompt, leave_after):
        terms = {"stream": True, "stream_options": {"include_usage": True}, **self.terms}
        text, pieces, usage = "", 0, None
        with self.chat.create(messages=say(prompt), **terms) as stream:
            for chunk in stream:
                text += (chunk.choices[0].delta.content or "") if chunk.choices else ""
                usage, pieces = chunk.usage, pieces + 1
                if pieces == leave_after:
                    break
        return said(text, usage.prompt_tokens if usage else 0, usage.completion_tokens if usage else 0, pieces)

    def call_tool(self, is_stream):
        tools = [{"type": "function", "function": {"parameters": schema, **weather}}]

        def ask(messages):
            if not is_stream:
                return self.chat.create(messages=messages, tools=tools, **self.terms).choices[0]
            with self.chat.stream(messages=messages, tools=tools, **self.terms) as stream:
                return stream.get_final_completion().choices[0]

        first = ask(say(QUESTION))
        assert first.finish_reason == "tool_calls", first
        (call,) = first.message.tool_calls
        result = {"role": "tool", "tool_call_id": call.id, "content": WEATHER}
        second = ask([*say(QUESTION), first.message, result])
        return {"given": json.loads(call.function.arguments), "text": second.message.content}

    def make_object(self):
        parsed = self.chat.parse(messages=say("Rome"), response_format=City, **self.terms)
        return parsed.choices[0].message.parsed.model_dump()


class Responses:
    def __init__(self, place):
        client = OpenAI(base_url=place["origin"] + "/v1", api_key=place["key"], max_retries=place.get("retries", 2))
        self.responses = client.responses
        self.terms = {"model": place["model"], "max_output_tokens": place.get("outputTokensMax", 500)}

    def say(self, prompt):
        answer = self.responses.create(input=prompt, **self.terms)
        usage = answer.usage
        return said(answer.output_text, usage.input_tokens, usage.output_tokens, request_id=answer._request_id)

    def stream(self, prompt, leave_after):
        text, pieces, usage = "", 0, None
        with self.responses.create(input=prompt, stream=True, **self.terms) as stream:
            for event in stream:
                if event.type == "response.failed":
                    raise RuntimeError(event.response.error.code)
                if event.type == "response.completed":
                    usage = event.response.usage
                if event.type == "response.output_text.delta":
                    text, pieces = text + event.delta, pieces + 1
                    if pieces == leave_after:
                        break
        return said(text, usage.input_tokens if usage else 0, usage.output_tokens if usage else 0, pieces)

    def call_tool(self, is_stream):
        tools = [{"type": "function", "strict": True, "parameters": schema, **weather}]

        def ask(**more):
            if not is_stream:
                return self.responses.create(tools=tools, **more, **self.terms)
            with self.responses.stream(tools=tools, **more, **self.terms) as stream:
                return stream.get_final_response()

        first = ask(input=QUESTION)
        call = next(item for item in first.output if item.type == "function_call")
        output = {"type": "function_call_output", "call_id": call.call_id, "output": WEATHER}
        second = ask(previous_response_id=first.id, input=[output])
        return {"given": json.loads(call.arguments), "text": second.output_text}

    def make_object(self):
        return self.responses.parse(input="Rome", text_format=City, **self.terms).output_parsed.model_dump()


class Messages:
    def __init__(self, place):
        client = Anthropic(base_url=place["origin"], api_key=place["key"], max_retries=place.get("retries", 2))
        self.messages = client.messages
        self.terms = {"model": place["model"], "max_tokens": place.get("outputTokensMax", 500)}

    def say(self, prompt):
        answer = self.messages.create(messages=say(prompt), **self.terms)
        usage = answer.usage
        return said(answer.content[0].text, usage.input_tokens, usage.output_tokens, request_id=answer._request_id)

    def stream(self, prompt, leave_after):
        text, pieces = "", 0
        with self.messages.stream(messages=say(prompt), **self.terms) as stream:
            for piece in stream.text_stream:
                text, pieces = text + piece, pieces + 1
                if pieces == leave_after:
                    return said(text, 0, 0, pieces)
            usage = stream.get_final_message().usage
        return said(text, usage.input_tokens, usage.output_tokens, pieces)

    def call_tool(self, is_stream):
        tools = [{"input_schema": schema, **weather}]

        def ask(messages):
            if not is_stream:
                return self.messages.create(messages=messages, tools=tools, **self.terms)
            with self.messages.stream(messages=messages, tools=tools, **self.terms) as stream:
                return stream.get_final_message()

        first = ask(say(QUESTION))
        assert first.stop_reason == "tool_use", first
        use = next(block for block in first.content if block.type == "tool_use")
        result = {"type": "tool_result", "tool_use_id": use.id, "content": WEATHER}
        second = ask([*say(QUESTION), {"role": "assistant", "content": first.content}, {"role": "user", "content": [result]}])
        return {"given": use.input, "text": second.content[0].text}
