#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A network of shift convolutions learns to tell bars by their direction, from pictures made on the spot.

A shift convolution moves channel c of an image by (sh[c], sw[c]), and mixes channels: a convolution without filters, by one
contraction whose operand is read at what tables hold. Its gradients are contractions, too. Needs torch:

    python3 examples/python/shift_network.py [--steps 150]
"""

import argparse

import torch
from torch import nn

import tileir.torch


class ShiftConvolution(nn.Module):
    """Moves each channel by one of nine shifts, and mixes them."""

    def __init__(self, channels, features):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(channels, features) * (2 / channels) ** 0.5)
        self.bias = nn.Parameter(torch.zeros(features, 1, 1))
        shifts = torch.arange(channels) % 9
        self.register_buffer("sh", shifts // 3 - 1)
        self.register_buffer("sw", shifts % 3 - 1)

    def forward(self, x):
        # Indices that are read at what a table holds get no size by shapes. Outside of the image there are zeros.
        sizes = {"h": x.shape[2], "w": x.shape[3]}
        return tileir.torch.einsum("nc(h+sh[c])(w+sw[c]), ck -> nkhw", x, self.weight, sh=self.sh, sw=self.sw, sizes=sizes,
                                   pad="zero", bias=self.bias, epilogue="relu")


class Network(nn.Module):
    def __init__(self, classes, channels=18):
        super().__init__()
        self.first = nn.Parameter(torch.randn(1, channels))
        self.layers = nn.Sequential(ShiftConvolution(channels, channels), ShiftConvolution(channels, channels),
                                    ShiftConvolution(channels, channels))
        self.last = nn.Parameter(torch.randn(channels, classes) * 0.1)

    def forward(self, x):
        x = self.layers(tileir.torch.einsum("nchw, ck -> nkhw", x, self.first))
        return tileir.torch.einsum("nkhw, kl -> nl", x, self.last) / (x.shape[2] * x.shape[3])


def make_pictures(count, size=12):
    """Pictures of a bar with noise, and which of four directions it has."""
    labels = torch.randint(0, 4, (count,))
    h, w = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    places = torch.stack([h, w, h + w - size // 2, h - w + size // 2])[labels]
    at = torch.randint(2, size - 2, (count, 1, 1))
    return ((places - at).abs() < 1).float()[:, None] + 0.3 * torch.randn(count, 1, size, size), labels


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    network = Network(classes=4)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-2)
    for step in range(1, options.steps + 1):
        pictures, labels = make_pictures(64)
        loss = nn.functional.cross_entropy(network(pictures), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step}: loss {loss.item():.3f}", flush=True)
    with torch.no_grad():
        pictures, labels = make_pictures(1000)
        print(f"right: {(network(pictures).argmax(1) == labels).float().mean().item():.3f}")


if __name__ == "__main__":
    main()
