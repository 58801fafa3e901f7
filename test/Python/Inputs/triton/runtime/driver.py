# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
class DriverConfig:
    _active = None

    @property
    def active(self):
        if self._active is None:
            raise RuntimeError("0 active drivers ([]). There should only be one.")
        return self._active

    def set_active(self, driver):
        self._active = driver


driver = DriverConfig()
