"""What the tests make LangChain and LlamaIndex, unmodified, do: see `text-library.ts`."""
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from llama_index.core.llms import ChatMessage
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike
from text_libraries import QUESTION, WEATHER, City, said


@tool
def get_weather(city: str) -> str:
    """The weather of a city."""
    return WEATHER


class LangChain:
    uses_responses = False

    def __init__(self, place):
        self.llm = ChatOpenAI(
            model=place["model"], base_url=place["origin"] + "/v1", api_key=place["key"],
            max_retries=place.get("retries", 2), max_tokens=place.get("outputTokensMax", 500),
            use_responses_api=self.uses_responses, stream_usage=True,
        )

    def say(self, prompt):
        answer = self.llm.invoke(prompt)
        usage = answer.usage_metadata
        return said(answer.text, usage["input_tokens"], usage["output_tokens"])

    def stream(self, prompt, leave_after):
        whole, pieces = None, 0
        for piece in self.llm.stream(prompt):
            whole, pieces = piece if whole is None else whole + piece, pieces + 1
            if pieces == leave_after:
                return said(whole.text, 0, 0, pieces)
        usage = whole.usage_metadata
        return said(whole.text, usage["input_tokens"], usage["output_tokens"], pieces)

    def call_tool(self, is_stream):
        llm = self.llm.bind_tools([get_weather])

        def ask(messages):
            if not is_stream:
                return llm.invoke(messages)
            whole = None
            for piece in llm.stream(messages):
                whole = piece if whole is None else whole + piece
            return whole

        question = HumanMessage(QUESTION)
        first = ask([question])
        (call,) = first.tool_calls
        result = ToolMessage(get_weather.invoke(call["args"]), tool_call_id=call["id"])
        return {"given": call["args"], "text": ask([question, first, result]).text}

    def make_object(self):
        return self.llm.with_structured_output(City).invoke("Rome").model_dump()


class LangChainResponses(LangChain):
    uses_responses = True


class LlamaIndex:
    def __init__(self, place):
        self.llm = OpenAILike(
            model=place["model"], api_base=place["origin"] + "/v1", api_key=place["key"],
            is_chat_model=True, is_function_calling_model=True, context_window=128_000,
            max_retries=place.get("retries", 2), max_tokens=place.get("outputTokensMax", 500),
        )

    def say(self, prompt):
        answer = self.llm.complete(prompt)
        usage = answer.raw.usage
        return said(str(answer), usage.prompt_tokens, usage.completion_tokens)

    def stream(self, prompt, leave_after):
        text, pieces, usage = "", 0, None
        for part in self.llm.stream_complete(prompt, stream_options={"include_usage": True}):
            text, pieces, usage = text + part.delta, pieces + 1, part.raw.usage
            if pieces == leave_after:
                break
        return said(text, usage.prompt_tokens if usage else 0, usage.completion_tokens if usage else 0, pieces)

    def call_tool(self, is_stream):
        def weather_of(city: str) -> str:
            """The weather of a city."""
            return WEATHER

        tools = [FunctionTool.from_defaults(fn=weather_of)]
        history = [ChatMessage(role="user", content="Use weather_of for Rome.")]
        first = self.llm.chat_with_tools(tools, chat_history=history)
        (call,) = self.llm.get_tool_calls_from_response(first)
        result = ChatMessage(role="tool", content=WEATHER, additional_kwargs={"tool_call_id": call.tool_id})
        history += [first.message, result]
        if not is_stream:
            return {"given": call.tool_kwargs, "text": self.llm.chat_with_tools(tools, chat_history=history).message.content}
        *_, last = self.llm.stream_chat_with_tools(tools, chat_history=history)
        return {"given": call.tool_kwargs, "text": last.message.content}
