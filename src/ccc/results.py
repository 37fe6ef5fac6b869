"""What a solver returns: a :class:`Fit` for one ν, a :class:`Path` for many."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ccc.storage import Stored, load_npz, save_npz

__all__ = ["Fit", "Path", "status_of", "target_of", "warn_if_inaccurate", "warn_of_gaps"]

TARGET = 1e-10  # relative gap at which the clusters, not only the objective, are settled


@dataclass(frozen=True)
class Fit(Stored):
    """Solution of Eq. (1) at one ν, with its certificate.

    Attributes
    ----------
    nu : float
    B : (c, d) array
        Coefficients; columns of one cluster are equal.
    b0 : (c,) array
        Intercepts.
    labels : (d,) array
        Cluster of each covariate, 0..m-1 in order of first appearance. All irrelevant covariates
        have one label, whether or not S joins them.
    n_clusters : int
        How many labels there are, that of the irrelevant covariates included.
    objective, dual : float
        Value of Eq. (1) and of a feasible point of its dual.
    gap : float
        ``(objective - dual) / max(1, |objective|)``.
    n_iter : int
        Iterations of the solver (Newton steps for ``exact``, ADMM iterations for ``admm``).
    seconds : float
    status : str
        ``"optimal"`` iff ``gap <= tol``, else ``"inaccurate"``.
    classes : (c,) array
        The class that each row of ``B`` belongs to.
    flows : (n_edges, c) array or None
        The dual point: one row per pair i < j with S_ij > 0, for :func:`ccc.certificate`.
    irrelevant : (d,) array of bool
        Which covariates ``sparsity`` has put to zero; none without it.
    """

    nu: float
    B: NDArray[np.float64]
    b0: NDArray[np.float64]
    labels: NDArray[np.int64]
    n_clusters: int
    objective: float
    dual: float
    gap: float
    n_iter: int
    seconds: float
    status: str
    classes: NDArray[Any]
    flows: NDArray[np.float64] | None = None
    irrelevant: NDArray[np.bool_] = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        _none_irrelevant(self)


@dataclass(frozen=True)
class Path:
    """Solutions along a grid of ν, stacked in the order of ``nus``.

    The attributes are those of :class:`Fit` with a leading axis over the grid, ``nus`` in place of
    ``nu``, and

    Attributes
    ----------
    method : str
    ridge, sparsity, tol : float
    info : dict of (len(nus),) arrays
        What only this method reports, for instance the residuals of ADMM.
    """

    nus: NDArray[np.float64]
    B: NDArray[np.float64]
    b0: NDArray[np.float64]
    labels: NDArray[np.int64]
    n_clusters: NDArray[np.int64]
    objective: NDArray[np.float64]
    dual: NDArray[np.float64]
    gap: NDArray[np.float64]
    n_iter: NDArray[np.int64]
    seconds: NDArray[np.float64]
    status: NDArray[np.str_]
    classes: NDArray[Any]
    method: str
    ridge: float
    sparsity: float
    tol: float
    irrelevant: NDArray[np.bool_] = None  # type: ignore[assignment]
    info: dict[str, NDArray[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _none_irrelevant(self)

    def __len__(self) -> int:
        return len(self.nus)

    def __getitem__(self, index: int) -> Fit:
        """The solution at ``nus[index]``."""
        return Fit(
            nu=float(self.nus[index]),
            B=self.B[index],
            b0=self.b0[index],
            labels=self.labels[index],
            n_clusters=int(self.n_clusters[index]),
            objective=float(self.objective[index]),
            dual=float(self.dual[index]),
            gap=float(self.gap[index]),
            n_iter=int(self.n_iter[index]),
            seconds=float(self.seconds[index]),
            status=str(self.status[index]),
            classes=self.classes,
            irrelevant=self.irrelevant[index],
        )

    def __iter__(self) -> Iterator[Fit]:
        return (self[index] for index in range(len(self)))

    def to_frame(self) -> pd.DataFrame:
        """One row per ν: clusters, objective, dual, gap, iterations, seconds, status, info.

        With sparsity also the number of irrelevant covariates.
        """
        names = ["n_clusters", "objective", "dual", "gap", "n_iter", "seconds", "status"]
        columns = {"nu": self.nus} | {name: getattr(self, name) for name in names}
        if self.sparsity:
            columns["n_irrelevant"] = self.irrelevant.sum(axis=1)
        return pd.DataFrame(columns | self.info)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to an ``.npz`` file."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "info"}
        save_npz(path, **fields, **{f"info_{name}": value for name, value in self.info.items()})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Path:
        """Read what :meth:`save` wrote."""
        arrays = load_npz(path)
        info = {
            k.removeprefix("info_"): arrays.pop(k) for k in list(arrays) if k.startswith("info_")
        }
        return cls(**arrays, info=info)


def _none_irrelevant(result: Fit | Path) -> None:
    """Files written before there was sparsity say nothing of it."""
    if result.irrelevant is None:
        object.__setattr__(result, "irrelevant", np.zeros(result.labels.shape, dtype=np.bool_))


def target_of(tol: float) -> float:
    """The relative gap that is worked for where ``tol`` is promised."""
    return min(TARGET, 0.1 * tol)


def status_of(gap: NDArray[np.float64], tol: float) -> NDArray[np.str_]:
    """``"optimal"`` where the gap keeps the promise ``tol``, ``"inaccurate"`` elsewhere."""
    return np.where(gap <= tol, "optimal", "inaccurate")


def warn_if_inaccurate(path: Path) -> None:
    """One ``ConvergenceWarning`` that names the worst gap and the tolerance, if any ν missed it."""
    warn_of_gaps(f"method {path.method!r}", "nu", path.nus, path.gap, path.tol, stacklevel=4)


def warn_of_gaps(
    what: str,
    parameter: str,
    grid: NDArray[np.float64],
    gap: NDArray[np.float64],
    tol: float,
    stacklevel: int = 3,
) -> None:
    """The same for any grid of a parameter."""
    missed = ~(gap <= tol)
    if missed.any():
        # Imported here: scikit-learn takes most of a second, and most jobs do without.
        from sklearn.exceptions import ConvergenceWarning

        # A gap that is not a number is the worst of all, to numpy too.
        worst = int(np.argmax(np.where(missed, gap, -1.0)))
        warnings.warn(
            f"{what}: relative duality gap {gap[worst]:.2e} at {parameter} = {grid[worst]:.6g} "
            f"exceeds tol = {tol:.2e} ({missed.sum()} of {len(grid)} values of {parameter} are "
            "inaccurate)",
            ConvergenceWarning,
            stacklevel=stacklevel,
        )
