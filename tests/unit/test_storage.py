import numpy as np
import pytest

from ccc.storage import load_npz, save_npz


def test_round_trip_keeps_arrays_strings_and_scalars(tmp_path):
    file = tmp_path / "a b.npz"
    save_npz(file, x=np.arange(3.0), names=["ü", "b"], tol=1e-6, method="admm")
    back = load_npz(file)
    assert back["x"].tolist() == [0, 1, 2]
    assert back["names"].tolist() == ["ü", "b"]
    assert (back["tol"], back["method"]) == (1e-6, "admm")
    assert [p.name for p in tmp_path.iterdir()] == ["a b.npz"]


def test_objects_are_refused_and_nothing_is_left(tmp_path):
    with pytest.raises(TypeError, match="labels"):
        save_npz(tmp_path / "x.npz", labels=np.array([{}], dtype=object))
    assert not list(tmp_path.iterdir())


def test_a_failed_write_keeps_the_old_file(tmp_path, monkeypatch):
    file = tmp_path / "x.npz"
    save_npz(file, x=1.0)

    def full_disk(stream, **arrays):
        stream.write(b"half")
        raise OSError("No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full_disk)
    with pytest.raises(OSError, match="No space"):
        save_npz(file, x=2.0)
    assert load_npz(file)["x"] == 1.0
    assert len(list(tmp_path.iterdir())) == 1


def test_a_file_of_one_array_is_named(tmp_path):
    with (tmp_path / "x.npz").open("wb") as stream:
        np.save(stream, np.eye(2))
    with pytest.raises(ValueError, match=r"x\.npz is not a complete .* it holds one array"):
        load_npz(tmp_path / "x.npz")


def test_a_truncated_file_is_named(tmp_path):
    file = tmp_path / "x.npz"
    save_npz(file, x=np.arange(1000))
    file.write_bytes(file.read_bytes()[:300])
    with pytest.raises(ValueError, match=r"x\.npz is not a complete"):
        load_npz(file)
