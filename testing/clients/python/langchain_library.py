"""LangChain and LlamaIndex, unmodified. Prints how often they called a model."""
import os

from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from llama_index.core.llms import ChatMessage
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike
from pydantic import BaseModel

base_url, api_key = os.environ["RELAY_BASE_URL"], os.environ["RELAY_API_KEY"]
calls = 0


def called(answer):
    global calls
    calls += 1
    return answer


class City(BaseModel):
    """A city."""

    name: str


@tool
def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


for uses_responses in (False, True):
    llm = ChatOpenAI(
        model="relay-v1", base_url=base_url, api_key=api_key, max_retries=0,
        use_responses_api=uses_responses, stream_usage=True,
    )
    answer = called(llm.invoke("2+3"))
    assert "2+3 = 5" in answer.text, answer
    assert answer.usage_metadata["total_tokens"] > 0, answer

    pieces = called(list(llm.stream("Count to five.")))
    whole = pieces[0]
    for piece in pieces[1:]:
        whole += piece
    assert whole.text != "" and whole.usage_metadata["output_tokens"] > 0, whole

    question = HumanMessage("Use get_weather for Rome.")
    first = called(llm.bind_tools([get_weather]).invoke([question]))
    (call,) = first.tool_calls
    result = ToolMessage(get_weather.invoke(call["args"]), tool_call_id=call["id"])
    second = called(llm.bind_tools([get_weather]).invoke([question, first, result]))
    assert "sunny" in second.text, second

    city = called(llm.with_structured_output(City).invoke("Name a city."))
    assert isinstance(city, City), city

llm = OpenAILike(
    model="relay-v1", api_base=base_url, api_key=api_key, is_chat_model=True,
    is_function_calling_model=True, context_window=128_000, max_retries=0,
)
assert "2+3 = 5" in str(called(llm.complete("2+3")))
assert "".join(part.delta for part in called(llm.stream_complete("Count to five."))) != ""


def weather_of(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


chosen = called(llm.chat_with_tools(
    [FunctionTool.from_defaults(fn=weather_of)],
    chat_history=[ChatMessage(role="user", content="Use weather_of for Rome.")],
))
(selected,) = llm.get_tool_calls_from_response(chosen)
assert selected.tool_name == "weather_of", selected

print(calls)
