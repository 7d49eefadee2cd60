# Runs Synochess's network in PyTorch, for `synochess bench --torch PYTHON`. It reads requests, one JSON object
# a line, from standard input and answers each with one on standard output. See torch.go.
import json
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

EPSILON = 1e-5
POLICY = 81 * 64


class ConvNorm(nn.Module):
    """3x3 convolution and batch norm."""

    def __init__(self, inputs, width):
        super().__init__()
        self.conv = nn.Conv2d(inputs, width, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(width, eps=EPSILON)

    def forward(self, x, add=None):
        x = self.conv(x)
        return self.bn(x if add is None else x + add)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv1, self.conv2 = ConvNorm(width, width), ConvNorm(width, width)

    def forward(self, x):
        return F.relu(self.conv2(F.relu(self.conv1(x))) + x)


class Policy(nn.Module):
    """The policy head. pairs: from square * 64 + to square of each policy index, for the from-to term, or None."""

    def __init__(self, width, channels, pairs):
        super().__init__()
        self.planes = nn.Conv2d(width, 81, 1)
        self.channels = channels
        if channels:
            self.ends = nn.Conv2d(width, 2 * channels, 1, bias=False)
            self.register_buffer("pairs", torch.tensor(pairs))

    def forward(self, x):
        logits = self.planes(x).flatten(1)
        if self.channels:
            q, k = self.ends(x).flatten(2).split(self.channels, 1)
            logits = logits + (q.transpose(1, 2) @ k).flatten(1)[:, self.pairs] * self.channels ** -0.5
        return logits


class Network(nn.Module):
    def __init__(self, arch, planes, vector, pairs):
        super().__init__()
        width, channels, hidden = arch["width"], arch["value_channels"], arch["value_hidden"]
        self.stem = ConvNorm(planes, width)
        self.vector = nn.Linear(vector, width, bias=False)
        self.blocks = nn.ModuleList(Block(width) for _ in range(arch["blocks"]))
        self.policy = Policy(width, arch.get("from_to", 0), pairs)
        self.value = nn.Conv2d(width, channels, 1)
        self.fc1, self.fc2 = nn.Linear(64 * channels, hidden), nn.Linear(hidden, 3)

    def forward(self, planes, vector):
        x = F.relu(self.stem(planes, self.vector(vector)[:, :, None, None]))
        for block in self.blocks:
            x = block(x)
        # The value head's inputs count square by square.
        v = F.relu(self.value(x)).permute(0, 2, 3, 1).flatten(1)
        return self.policy(x), self.fc2(F.relu(self.fc1(v)))


class Folded(nn.Module):
    """The network for inference, batch norms folded into the convolutions."""

    def __init__(self, net):
        super().__init__()
        fuse = torch.nn.utils.fusion.fuse_conv_bn_eval
        bn = net.stem.bn
        scale = bn.weight / torch.sqrt(bn.running_var + EPSILON)
        self.stem = fuse(net.stem.conv, bn)
        self.vector = nn.Linear(net.vector.in_features, net.vector.out_features, bias=False)
        self.vector.weight.data = net.vector.weight.data * scale[:, None]
        self.convs = nn.ModuleList(
            fuse(c.conv, c.bn) for block in net.blocks for c in (block.conv1, block.conv2))
        self.policy, self.value, self.fc1, self.fc2 = net.policy, net.value, net.fc1, net.fc2

    def forward(self, planes, vector):
        x = F.relu(self.stem(planes) + self.vector(vector)[:, :, None, None])
        for i in range(0, len(self.convs), 2):
            x = F.relu(self.convs[i + 1](F.relu(self.convs[i](x))) + x)
        v = F.relu(self.value(x)).permute(0, 2, 3, 1).flatten(1)
        return self.policy(x), self.fc2(F.relu(self.fc1(v)))


def read_floats(path):
    with open(path, "rb") as f:
        return torch.frombuffer(bytearray(f.read()), dtype=torch.float32)


def load(request):
    """Builds a network of the weights in a file: all tensors one after the other, float32."""
    flat, tensors, at = read_floats(request["path"]), {}, 0
    for name, shape in request["tensors"]:
        size = 1
        for d in shape:
            size *= d
        tensors[name] = flat[at:at + size].view(shape).clone()
        at += size
    planes = tensors["stem.conv.weight"].shape[0] // 9
    net = Network(request["arch"], planes, tensors["stem.vector.weight"].shape[0], request.get("pairs"))

    def kernel(name, size):  # [(ky*size+kx)*in + i][out] to [out][in][ky][kx]
        w = tensors[name]
        return w.view(size, size, -1, w.shape[1]).permute(3, 2, 0, 1).contiguous()

    def norm(bn, name):
        bn.weight.data, bn.bias.data = tensors[name + ".bn.scale"], tensors[name + ".bn.bias"]
        bn.running_mean, bn.running_var = tensors[name + ".bn.mean"], tensors[name + ".bn.var"]

    net.stem.conv.weight.data = kernel("stem.conv.weight", 3)
    norm(net.stem.bn, "stem")
    net.vector.weight.data = tensors["stem.vector.weight"].t().contiguous()
    for i, block in enumerate(net.blocks):
        for layer, name in ((block.conv1, "conv1"), (block.conv2, "conv2")):
            name = "block%d.%s" % (i, name)
            layer.conv.weight.data = kernel(name + ".weight", 3)
            norm(layer.bn, name)
    for layer, name in ((net.policy.planes, "policy"), (net.value, "value.conv")):
        layer.weight.data, layer.bias.data = kernel(name + ".weight", 1), tensors[name + ".bias"]
    if net.policy.channels:
        net.policy.ends.weight.data = torch.cat([kernel("policy.%s.weight" % end, 1) for end in ("from", "to")])
    for layer, name in ((net.fc1, "value.fc1"), (net.fc2, "value.fc2")):
        layer.weight.data, layer.bias.data = tensors[name + ".weight"].t().contiguous(), tensors[name + ".bias"]
    return net


def channels_last(x):
    return x.contiguous(memory_format=torch.channels_last)


def timed(work, times):
    """Processor time on one thread, else the clock on the wall."""
    now = time.process_time if torch.get_num_threads() == 1 else time.perf_counter
    start = now()
    for _ in range(times):
        work()
    return max(now() - start, 1e-9)


def fastest(works):
    """PyTorch has several ways to do the same; the one that is fastest here counts."""
    best = None
    for work in works:
        work()
        seconds = min(timed(work, 1) for _ in range(2))
        if best is None or seconds < best[0]:
            best = seconds, work
    return best[1]


def inference(net, planes, vector):
    """Returns a function that evaluates the positions."""
    net.eval()
    with torch.no_grad():
        plain = Folded(net).eval()
        last = Folded(net).eval().to(memory_format=torch.channels_last)
        planes_last = channels_last(planes)
        traced = torch.jit.freeze(torch.jit.trace(plain, (planes, vector)))
        optimised = torch.jit.optimize_for_inference(torch.jit.trace(plain, (planes, vector)))

    def runner(model, x):
        def work():
            with torch.no_grad():
                return model(x, vector)
        return work
    return fastest([runner(plain, planes), runner(last, planes_last), runner(traced, planes), runner(optimised, planes)])


def training(request):
    """Returns a function that makes one step: forward, backward, clipping, AdamW."""
    n = request["rows"]
    planes = read_floats(request["planes"]).view(n, -1, 8, 8)
    vector = read_floats(request["vector"]).view(n, -1)
    generator = torch.Generator().manual_seed(1)
    legal = torch.zeros(n, POLICY, dtype=torch.bool)
    for row in range(n):
        legal[row, torch.randperm(POLICY, generator=generator)[:40]] = True
    illegal = ~legal
    target = legal.float() / 40
    value = torch.tensor([0.0, 1.0, 0.0]).expand(n, 3).contiguous()

    def stepper(last):
        net = load(request).train()
        x = planes
        if last:
            net, x = net.to(memory_format=torch.channels_last), channels_last(planes)
        optimiser = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-2)

        def step():
            optimiser.zero_grad(set_to_none=True)
            logits, wdl = net(x, vector)
            logp = F.log_softmax(logits.masked_fill(illegal, -1e9), 1)
            loss = -(target * logp).sum(1).mean() - (value * F.log_softmax(wdl, 1)).sum(1).mean()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 4.0)
            optimiser.step()
        return step
    return fastest([stepper(False), stepper(True)])


def main():
    nets, work = {}, None
    for line in sys.stdin:
        request = json.loads(line)
        do = request["do"]
        answer = {}
        torch.set_num_threads(request.get("threads", 1))
        if do == "hello":
            answer["version"] = torch.__version__
        elif do == "load":
            nets[request["net"]] = load(request)
        elif do == "inputs":
            planes = read_floats(request["planes"]).view(request["rows"], -1, 8, 8)
            vector = read_floats(request["vector"]).view(request["rows"], -1)
            work = inference(nets[request["net"]], planes, vector)
            policy, value = work()
            answer["policy"], answer["value"] = policy[0].tolist(), torch.softmax(value, 1).flatten().tolist()
        elif do == "training":
            work = training(request)
        elif do == "run":
            answer["seconds"] = timed(work, request["times"])
        print(json.dumps(answer), flush=True)


main()
