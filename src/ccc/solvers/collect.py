"""Collecting the solutions of a grid of ν into a :class:`ccc.results.Path`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccc.duality import Certificate
from ccc.problem import Problem
from ccc.results import Path, status_of

__all__ = ["Collector"]

TEXT = "U32"


class Collector:
    """Room for one solution per ν, filled in whatever order the solver walks the grid."""

    def __init__(self, problem: Problem, nus: NDArray[np.float64], keep_flows: bool) -> None:
        k, c, d = len(nus), problem.c, problem.d
        self.problem, self.nus, self.keep_flows = problem, nus, keep_flows
        self.B, self.b0 = np.empty((k, c, d)), np.empty((k, c))
        self.labels = np.empty((k, d), dtype=np.int64)
        self.irrelevant = np.zeros((k, d), dtype=np.bool_)
        self.objective, self.dual, self.gap = np.empty(k), np.empty(k), np.empty(k)
        self.n_iter, self.seconds = np.zeros(k, dtype=np.int64), np.empty(k)
        self.info: dict[str, NDArray[Any]] = {}
        self.flows: list[NDArray[np.float64]] = [np.empty((0, c))] * k

    def store(
        self,
        index: int,
        B: NDArray[np.float64],
        b0: NDArray[np.float64],
        labels: NDArray[np.int64],
        certificate: Certificate,
        n_iter: int,
        seconds: float,
        flows: NDArray[np.float64] | None = None,
        info: Mapping[str, float | int | bool | str] | None = None,
        irrelevant: NDArray[np.bool_] | None = None,
    ) -> None:
        """Keep the solution at ``nus[index]``."""
        if irrelevant is not None:
            self.irrelevant[index] = irrelevant
        self.B[index], self.b0[index], self.labels[index] = B, b0, labels
        self.objective[index], self.dual[index] = certificate.primal, certificate.dual
        self.gap[index], self.n_iter[index], self.seconds[index] = certificate.gap, n_iter, seconds
        if self.keep_flows and flows is not None:
            self.flows[index] = flows
        for name, value in (info or {}).items():
            if name not in self.info:
                # Words differ in length from ν to ν.
                kind = TEXT if isinstance(value, str) else np.asarray(value).dtype
                self.info[name] = np.zeros(len(self.nus), dtype=kind)
            self.info[name][index] = value

    def path(self, method: str, tol: float) -> Path:
        """Everything stored, as a :class:`Path`."""
        return Path(
            nus=self.nus,
            B=self.B,
            b0=self.b0,
            labels=self.labels,
            n_clusters=self.labels.max(axis=1) + 1,
            objective=self.objective,
            dual=self.dual,
            gap=self.gap,
            n_iter=self.n_iter,
            seconds=self.seconds,
            status=status_of(self.gap, tol),
            classes=self.problem.classes,
            method=method,
            ridge=self.problem.ridge,
            sparsity=self.problem.sparsity,
            tol=tol,
            irrelevant=self.irrelevant,
            info=self.info,
        )
