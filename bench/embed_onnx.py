#!/usr/bin/env python3
"""Our encoder against ONNX Runtime with the same weights in 8 bits, on the same texts, in turn.

    bench/embed_onnx.py MODEL build/bench/bench/bench_embed

MODEL is a package or folder that tools/convert_model.py reads. The graph is written down here with
ONNX Runtime's own fused operators (embedding, attention, bias with GELU, addition with
normalisation) and quantised by its own tool, per channel: what its optimiser makes of an export, or
better. Both sides get word pieces and give back vectors of length 1; best of several short rounds.

Needs numpy, onnx, onnxruntime and xxhash (PyPI).
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import convert_model as convert  # noqa: E402

OWN = "com.microsoft"


class Graph:
    """The network, node by node."""

    def __init__(self, tensors):
        self.tensors, self.nodes, self.values = tensors, [], []

    def keep(self, name, array):
        self.values.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def weight(self, name):
        return self.keep(name, self.tensors[name])

    def turned(self, name):
        return self.keep(name, self.tensors[name].T)

    def add(self, kind, inputs, output, domain=OWN, **attributes):
        name = output[0]
        self.nodes.append(
            helper.make_node(kind, inputs, output, name=name, domain=domain, **attributes)
        )
        return name

    def norm(self, x, skip, prefix, output):
        names = [self.weight(f"{prefix}.LayerNorm.{part}") for part in ("weight", "bias")]
        bias = self.weight(f"{prefix}.dense.bias")
        inputs = [x, skip, *names, bias]
        return self.add("SkipLayerNormalization", inputs, [output], epsilon=1e-12)

    def layer(self, number, x):
        prefix = f"encoder.layer.{number}."
        three = [f"{prefix}attention.self.{name}" for name in ("query", "key", "value")]
        weights = np.concatenate([self.tensors[f"{name}.weight"].T for name in three], 1)
        biases = np.concatenate([self.tensors[f"{name}.bias"] for name in three])
        inputs = [x, self.keep(f"{prefix}w", weights), self.keep(f"{prefix}b", biases), "lengths"]
        context = self.add("Attention", inputs, [f"context{number}"], num_heads=convert.HEADS)
        out = f"{prefix}attention.output"
        y = self.add("MatMul", [context, self.turned(f"{out}.dense.weight")], [f"out{number}"], "")
        y = self.norm(y, x, out, f"y{number}")
        inner = f"{prefix}intermediate.dense"
        h = self.add("MatMul", [y, self.turned(f"{inner}.weight")], [f"inner{number}"], "")
        h = self.add("BiasGelu", [h, self.weight(f"{inner}.bias")], [f"gelu{number}"])
        out = f"{prefix}output"
        h = self.add("MatMul", [h, self.turned(f"{out}.dense.weight")], [f"contract{number}"], "")
        return self.norm(h, y, out, f"x{number + 1}")

    def model(self):
        tables = ["word_embeddings", "position_embeddings", "token_type_embeddings"]
        names = [self.weight(f"embeddings.{name}.weight") for name in tables]
        names += [self.weight(f"embeddings.LayerNorm.{part}") for part in ("weight", "bias")]
        inputs = ["ids", "types", *names, "mask"]
        x = self.add("EmbedLayerNormalization", inputs, ["x0", "lengths"], epsilon=1e-12)
        for number in range(convert.LAYERS):
            x = self.layer(number, x)
        self.add("Identity", [x], ["hidden"], "")
        inputs = ("ids", "types", "mask")
        takes = [helper.make_tensor_value_info(n, TensorProto.INT32, ["b", "s"]) for n in inputs]
        gives = [helper.make_tensor_value_info("hidden", TensorProto.FLOAT, ["b", "s", 384])]
        graph = helper.make_graph(self.nodes, "encoder", takes, gives, self.values)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(OWN, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def tensors_of(source):
    weights = convert.find(source, "model.safetensors", convert.WEIGHTS_SHA256)
    return convert.read_safetensors(weights)


def session(path, threads=1):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(str(path), options)


def vectors(run, ids):
    """Vectors of texts that all have as many pieces."""
    ids = np.asarray(ids, np.int32)
    zeros = np.zeros_like(ids)
    hidden = run.run(None, {"ids": ids, "types": zeros, "mask": zeros + 1})[0]
    mean = hidden.mean(axis=1)
    return mean / np.linalg.norm(mean, axis=1, keepdims=True)


def rate(path, texts, batch, threads, seconds):
    """Best of short rounds, per second of processor time and thread; a session for each thread."""
    runs = [session(path) for _ in range(threads)]
    share = texts[: len(texts) // batch * batch]

    def work(run):
        for at in range(0, len(share), batch):
            vectors(run, share[at : at + batch])

    best, end = 0.0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        cpu = time.process_time()
        others = [threading.Thread(target=work, args=(run,)) for run in runs]
        for thread in others:
            thread.start()
        for thread in others:
            thread.join()
        cpu = time.process_time() - cpu
        best = max(best, len(share) * threads / (cpu / threads))
    return best


def ours(binary, model, threads, seconds, out=None):
    command = [binary, "--model", model, "--threads", str(threads), "--seconds", str(seconds)]
    command += ["--json"] + (["--write-pieces", str(out)] if out else [])
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(answer)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("binary")
    parser.add_argument("--model", default="models/all-minilm-l6-v2.yoremodel")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.5, help="of each measurement")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        plain, small = folder / "fp32.onnx", folder / "int8.onnx"
        onnx.save(Graph(tensors_of(args.source)).model(), plain)
        options = {"DefaultTensorType": TensorProto.FLOAT}
        quantize_dynamic(
            plain, small, weight_type=QuantType.QInt8, per_channel=True, extra_options=options
        )
        pieces = folder / "pieces.jsonl"
        ours(args.binary, args.model, 1, 0.1, pieces)
        texts = [json.loads(line) for line in pieces.read_text().splitlines()]
        print(f"{len(texts)} passages of {len(texts[0])} word pieces; passages/s with a core per thread")
        print("cores  yore     ONNX Runtime int8  ratio")
        for threads in (1, 2):
            mine, theirs, form = 0.0, 0.0, ""
            for _ in range(args.rounds):
                answer = ours(args.binary, args.model, threads, args.seconds)
                mine, form = max(mine, answer["passages_per_second"]), answer["kernels"]
                for batch in (1, 4):
                    theirs = max(theirs, rate(small, texts, batch, threads, args.seconds / 2))
            print(f"{threads:<6} {mine:<8.1f} {theirs:<18.1f} {mine / theirs:.2f}   ({form})")


if __name__ == "__main__":
    main()
