"""Writes a tiny llama model with random weights: make-llama-model.py FILE.gguf"""

import sys

import gguf
import numpy

EMBEDDING, HEADS, FORWARD, LAYERS, CONTEXT = 64, 4, 128, 2, 512

# A vocabulary of the control tokens, all bytes, and a word for each of two letters.
control = [("<unk>", 2), ("<s>", 3), ("</s>", 3)]
letters = "abcdefghijklmnopqrstuvwxyz"
words = [("\u2581" + one + other, 1) for one in letters for other in letters]
tokens = control + [(f"<0x{byte:02X}>", 6) for byte in range(256)] + words

writer = gguf.GGUFWriter(sys.argv[1], "llama")
writer.add_context_length(CONTEXT)
writer.add_embedding_length(EMBEDDING)
writer.add_block_count(LAYERS)
writer.add_feed_forward_length(FORWARD)
writer.add_head_count(HEADS)
writer.add_head_count_kv(HEADS)
writer.add_layer_norm_rms_eps(1e-5)
writer.add_rope_dimension_count(EMBEDDING // HEADS)
writer.add_vocab_size(len(tokens))
writer.add_tokenizer_model("llama")
writer.add_token_list([text.encode() for text, _ in tokens])
writer.add_token_scores([0.0 if kind != 1 else -1.0 for _, kind in tokens])
writer.add_token_types([kind for _, kind in tokens])
writer.add_unk_token_id(0)
writer.add_bos_token_id(1)
writer.add_eos_token_id(2)

random = numpy.random.default_rng(1)


def add(name, *shape):
    writer.add_tensor(name, random.normal(0, 0.1, shape).astype(numpy.float32))


def add_norm(name):
    writer.add_tensor(name, numpy.ones(EMBEDDING, dtype=numpy.float32))


add("token_embd.weight", len(tokens), EMBEDDING)
add_norm("output_norm.weight")
add("output.weight", len(tokens), EMBEDDING)
for layer in range(LAYERS):
    add_norm(f"blk.{layer}.attn_norm.weight")
    add_norm(f"blk.{layer}.ffn_norm.weight")
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        add(f"blk.{layer}.{name}.weight", EMBEDDING, EMBEDDING)
    add(f"blk.{layer}.ffn_gate.weight", FORWARD, EMBEDDING)
    add(f"blk.{layer}.ffn_up.weight", FORWARD, EMBEDDING)
    add(f"blk.{layer}.ffn_down.weight", EMBEDDING, FORWARD)

writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
