"""Exports the networks of Inputs/ from PyTorch by torch-mlir, as linalg on tensors.

    export.py resnet18 [--batch 2] [--image 32] [--width 8] > Inputs/resnet18.mlir
    export.py transformer [--batch 2] [--tokens 16] [--heads 2] [--head-size 16] > Inputs/transformer.mlir

Needs the packages torch and torch-mlir; the tests do not, they read what it wrote. Weights are arguments, in the order in
which the model has them, so that a file is small; those of batch norm are folded into the convolutions, as for inference.
`--batch 1 --image 224 --width 64` and `--batch 1 --tokens 512 --heads 12 --head-size 64` are the sizes of ResNet-18 and BERT.
"""
import argparse

import torch
from torch import nn
from torch_mlir import fx


class Block(nn.Module):
    """Two convolutions of 3x3, and what skips them."""

    def __init__(self, before, after, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(before, after, 3, stride, 1)
        self.conv2 = nn.Conv2d(after, after, 3, 1, 1)
        self.skip = nn.Identity() if before == after else nn.Conv2d(before, after, 1, stride)

    def forward(self, x):
        return torch.relu(self.skip(x) + self.conv2(torch.relu(self.conv1(x))))


class ResNet18(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 7, 2, 3)
        self.pool = nn.MaxPool2d(3, 2, 1)
        blocks, before = [], width
        for stage in range(4):
            after = width << stage
            blocks += [Block(before, after, 1 if stage == 0 else 2), Block(after, after, 1)]
            before = after
        self.blocks = nn.Sequential(*blocks)
        self.classify = nn.Linear(before, classes)

    def forward(self, x):
        x = self.blocks(self.pool(torch.relu(self.stem(x))))
        return self.classify(x.mean((2, 3)))


class TransformerBlock(nn.Module):
    """A layer of an encoder: attention of several heads and two linear layers, each behind a layer norm."""

    def __init__(self, heads, head_size):
        super().__init__()
        self.heads, size = heads, heads * head_size
        self.norm1, self.norm2 = nn.LayerNorm(size), nn.LayerNorm(size)
        self.query, self.key, self.value, self.project = (nn.Linear(size, size) for _ in range(4))
        self.up, self.down = nn.Linear(size, 4 * size), nn.Linear(4 * size, size)

    def forward(self, x):
        batch, tokens, size = x.shape

        def split(y):
            return y.reshape(batch, tokens, self.heads, size // self.heads).transpose(1, 2)
        y = self.norm1(x)
        query, key, value = (split(layer(y)) for layer in (self.query, self.key, self.value))
        scores = query @ key.transpose(2, 3) * (size // self.heads) ** -0.5
        y = torch.softmax(scores, -1) @ value
        x = x + self.project(y.transpose(1, 2).reshape(batch, tokens, size))
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm2(x)), approximate="tanh"))


class WithWeights(nn.Module):
    """A model whose weights are arguments behind its input."""

    def __init__(self, model):
        super().__init__()
        self.model = [model]  # not its own module: the weights would be constants
        self.names = [name for name, _ in model.named_parameters()]

    def forward(self, x, *weights):
        return torch.func.functional_call(self.model[0], dict(zip(self.names, weights)), (x,))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", choices=("resnet18", "transformer"))
    for name, default in {"batch": 2, "image": 32, "width": 8, "classes": 16, "tokens": 16, "heads": 2,
                          "head-size": 16}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    if options.network == "resnet18":
        model = ResNet18(options.width, options.classes)
        shape = options.batch, 3, options.image, options.image
    else:
        model = TransformerBlock(options.heads, options.head_size)
        shape = options.batch, options.tokens, options.heads * options.head_size
    model = model.half().eval()
    weights = [weight.detach() for weight in model.parameters()]
    module = fx.export_and_import(WithWeights(model), torch.zeros(shape).half(), *weights,
                                  output_type="linalg-on-tensors", func_name="main")
    print(module)


if __name__ == "__main__":
    main()
