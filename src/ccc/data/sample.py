"""Two small corpora and word vectors, made up, in the layout of the official files.

With them the whole text workflow runs within minutes and without a connection. The documents are
drawn words, not language, but what the methods feed on is there: words of a topic or an opinion in
several forms, which occur together and whose vectors are close, among words that say nothing. Each
file has a README member that says what it is, and the same seed gives the same bytes.
"""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from ccc.data.corpora import NEWSGROUPS
from ccc.seeds import seed_of
from ccc.storage import new_file

__all__ = ["write_sample_glove", "write_sample_imdb", "write_sample_newsgroups"]

README = (
    "SAMPLE: made by ccc.data.sample, not the {what}.\n"
    "The documents are drawn at random from lists of words. No result on them means anything.\n"
)

_TOPICS = {
    "alt.atheism": """atheist atheists atheism belief beliefs believe evidence moral morality
        argument arguments logic""",
    "comp.graphics": """image images pixel pixels polygon polygons render rendering graphics colour
        texture animation""",
    "comp.os.ms-windows.misc": """windows desktop icon icons font fonts menu menus driver drivers
        dos printer""",
    "comp.sys.ibm.pc.hardware": """motherboard controller disk disks floppy bios bus jumper jumpers
        modem cache processor""",
    "comp.sys.mac.hardware": """apple macintosh powerbook monitor monitors keyboard mouse adapter
        upgrade upgrades slot slots""",
    "comp.windows.x": """server servers client clients widget widgets toolkit library libraries
        compile compiled display""",
    "misc.forsale": """sale sell selling offer offers price prices shipping sold buyer buyers
        condition""",
    "rec.autos": """car cars engine engines dealer dealers brake brakes tyre tyres clutch
        gearbox""",
    "rec.motorcycles": """motorcycle motorcycles bike bikes rider riders ride riding helmet helmets
        leather throttle""",
    "rec.sport.baseball": """baseball pitcher pitchers pitch inning innings batter hitter hitters
        league homer catcher""",
    "rec.sport.hockey": """hockey goal goals goalie goalies puck playoff playoffs season ice skate
        skating""",
    "sci.crypt": """key keys cipher ciphers encrypt encrypted encryption secret secrets privacy
        algorithm decrypt""",
    "sci.electronics": """circuit circuits voltage voltages resistor resistors amplifier amplifiers
        wire wires battery signal""",
    "sci.med": """doctor doctors patient patients disease diseases symptom symptoms treatment
        medicine medicines infection""",
    "sci.space": """orbit orbits orbital satellite satellites launch launched rocket rockets moon
        shuttle astronaut""",
    "soc.religion.christian": """church churches prayer prayers pray scripture scriptures gospel
        faith sin sins christian""",
    "talk.politics.guns": """gun guns weapon weapons firearm firearms shoot shooting rifle rifles
        holster bullet""",
    "talk.politics.mideast": """border borders peace treaty treaties village villages soldier
        soldiers occupation refugee refugees""",
    "talk.politics.misc": """government governments tax taxes election elections vote votes senator
        senators budget policy""",
    "talk.religion.misc": """prophet prophets temple temples ritual rituals myth myths worship
        sacred spirit spirits""",
    # The subjects of the reviews.
    "acting": """actor actors actress actresses role roles cast casting perform performed
        performance performances""",
    "plot": """story stories plot plots twist twists ending endings script scripts narrative
        dialogue""",
    "camera": """camera cameras scene scenes shot shots lighting director directors directed
        photography footage""",
    "music": """music musical song songs soundtrack singer singers sing singing tune tunes score""",
    "fright": """horror monster monsters ghost ghosts vampire vampires haunted killer killers blood
        scream""",
}
_OPINIONS = {
    "good movie": """love loved loves lovely enjoy enjoyed enjoyable wonderful wonderfully great
        greatest excellent brilliant brilliantly superb delight delightful perfect perfectly moving
        favourite charming""",
    "bad movie": """hate hated hates awful awfully terrible terribly bore bored boring worst worse
        waste wasted dull stupid stupidly horrible poor poorly disappointing disappointed""",
}
_FILLERS = """the of and to in that it is was for on with as at this be by have from or had not but
    what all were when we there can an which their if will one each about how up out them then many
    some so these would other into has more two like see time could no make than first been its who
    now people way long down day did get come made may part"""
TOPICS = {name: words.split() for name, words in _TOPICS.items()}
OPINIONS = {name: words.split() for name, words in _OPINIONS.items()}
FILLERS = _FILLERS.split()
FILM_TOPICS = [name for name in TOPICS if name not in NEWSGROUPS]
RATINGS = {"good movie": ("7/10", "8/10", "9/10", "10/10"), "bad movie": ("1/10", "2/10", "*1/2")}
PEOPLE = ("Ann", "Bob", "Carla", "Dan", "Eve", "Frank", "Grace", "Hugo")
PLACES = ("Sample University", "Sample Institute", "Sample Company", "none")


def write_sample_imdb(
    path: str | os.PathLike[str],
    seed: int = 0,
    n_labelled: int = 1200,
    n_unlabelled: int = 400,
    n_duplicates: int = 12,
) -> None:
    """Write made-up film reviews in the layout of ``aclImdb_v1.tar.gz``.

    Half of the labelled reviews are good, half of each kind are for training. ``n_duplicates`` of
    all reviews are copies of another one: of the same class, or labelled if they are not.
    """
    _check("n_labelled", n_labelled, 4)
    _check("n_duplicates", n_duplicates, 1, least=0, most=min(n_labelled // 4, n_unlabelled))
    rng = np.random.default_rng(seed_of("sample", "imdb", root=seed))
    half = n_labelled // 2
    opinions = {
        "neg": ["bad movie"] * half,
        "pos": ["good movie"] * half,
        "unsup": rng.choice(list(OPINIONS), n_unlabelled).tolist(),
    }
    texts = {kind: [_review(rng, o) for o in drawn] for kind, drawn in opinions.items()}
    for copy in range(n_duplicates):
        kind = ("neg", "pos", "unsup")[copy % 3]
        source = "pos" if kind == "unsup" else kind
        texts[kind][-1 - copy // 3] = texts[source][copy // 3]
    members = {"aclImdb/README": README.format(what="Large Movie Review Dataset")}
    for kind, reviews in texts.items():
        ratings = {"neg": (1, 5), "pos": (7, 11), "unsup": (0, 1)}[kind]
        for number, text in enumerate(reviews):
            test = kind != "unsup" and number >= half // 2
            folder = f"aclImdb/{'test' if test else 'train'}"
            place = number - half // 2 if test else number
            members[f"{folder}/{kind}/{place}_{rng.integers(*ratings)}.txt"] = text
            urls = f"{folder}/urls_{kind}.txt"
            members[urls] = members.get(urls, "") + f"http://example.org/{kind}/{place}\n"
    _write(path, _tar({name: text.encode() for name, text in members.items()}))


def write_sample_newsgroups(
    path: str | os.PathLike[str], seed: int = 0, n_posts: int = 2000, n_duplicates: int = 20
) -> None:
    """Write made-up posts to the 20 groups in the layout of ``20news-bydate.tar.gz``.

    The first 60 % of each group are for training. ``n_duplicates`` of all posts are copies of
    another one in their group; one in twenty has letters that are not ASCII.
    """
    _check("n_posts", n_posts, 20)
    _check("n_duplicates", n_duplicates, 1, least=0, most=n_posts // 4)
    rng = np.random.default_rng(seed_of("sample", "newsgroup20", root=seed))
    size = n_posts // len(NEWSGROUPS)
    posts = {group: [_post(rng, group) for _ in range(size)] for group in NEWSGROUPS}
    for copy in range(n_duplicates):
        texts = posts[NEWSGROUPS[copy % len(NEWSGROUPS)]]
        place = copy // len(NEWSGROUPS)
        texts[-1 - place] = texts[place]
    members = {"README": README.format(what="20 Newsgroups")}
    for group, texts in posts.items():
        for number, text in enumerate(texts):
            part = "train" if number < 0.6 * size else "test"
            # As in the official archive, some numbers have a digit more than others.
            members[f"20news-bydate-{part}/{group}/{9_990 + number}"] = text
    _write(path, _tar({name: text.encode("latin-1") for name, text in members.items()}))


def write_sample_glove(path: str | os.PathLike[str], dim: int = 100, seed: int = 0) -> None:
    """Write made-up vectors of the samples' words in the layout of ``glove.6B.zip``.

    Words of a family have cosine 0.8 to each other, good and bad words 0.4 (as in real vectors,
    which tell opinions from other words rather than from each other), all others 0, but for
    chance. One word in thirty is missing.
    """
    rng = np.random.default_rng(seed_of("sample", "glove", dim, root=seed))
    opinion = rng.standard_normal(dim)
    lines = [_line(word, rng.standard_normal(dim)) for word in FILLERS]
    for name, words in (TOPICS | OPINIONS).items():
        centre = rng.standard_normal(dim)
        if name in OPINIONS:
            centre = np.sqrt(0.5) * (centre + opinion)
        lines += [_line(word, centre + 0.5 * rng.standard_normal(dim)) for word in words]
    vectors = "".join(line for number, line in enumerate(lines, start=1) if number % 30)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, text in (
            ("README.txt", README.format(what="GloVe vectors")),
            (f"glove.6B.{dim}d.txt", vectors),
        ):
            # Without a time of its own a member gets that of the clock.
            info = zipfile.ZipInfo(member, date_time=(1980, 1, 1, 0, 0, 0))
            info.compress_type, info.create_system = zipfile.ZIP_DEFLATED, 3
            archive.writestr(info, text)
    _write(path, buffer.getvalue())


def _check(name: str, value: int, divisor: int, least: int = 1, most: int | None = None) -> None:
    if value < least or value % divisor or (most is not None and value > most):
        limit = "" if most is None else f", at most {most}"
        raise ValueError(
            f"{name} must be a multiple of {divisor}, at least {least}{limit}, got {value}"
        )


def _draw(rng: np.random.Generator, shares: Sequence[tuple[float, Sequence[str]]]) -> list[str]:
    """40 to 80 words from lists, each list with its share; the first words of a list lead it."""
    length = int(rng.integers(40, 81))
    lists = rng.choice(len(shares), length, p=[share for share, _ in shares])
    places = rng.random(length) ** 2
    drawn = []
    for number, place in zip(lists.tolist(), places.tolist(), strict=True):
        words = shares[number][1]
        drawn.append(words[int(place * len(words))])
    return drawn


def _sentences(rng: np.random.Generator, words: list[str]) -> list[str]:
    sentences = []
    while words:
        length = int(rng.integers(8, 15))
        sentences.append(" ".join(words[:length]).capitalize() + ".")
        words = words[length:]
    return sentences


def _review(rng: np.random.Generator, opinion: str) -> str:
    other = next(name for name in OPINIONS if name != opinion)
    topic = TOPICS[rng.choice(FILM_TOPICS)]
    shares = [(0.6, FILLERS), (0.2, topic), (0.15, OPINIONS[opinion]), (0.05, OPINIONS[other])]
    sentences = _sentences(rng, _draw(rng, shares))
    if rng.random() < 0.3:
        sentences.append(str(rng.choice(RATINGS[opinion])))
    breaks = rng.choice([" ", "<br /><br />"], len(sentences) - 1, p=[0.9, 0.1]).tolist()
    return "".join(s + b for s, b in zip(sentences, [*breaks, ""], strict=True))


def _post(rng: np.random.Generator, group: str) -> str:
    # Groups of one hierarchy, such as comp, share words.
    kin = [name for name in NEWSGROUPS if name.split(".")[0] == group.split(".")[0]]
    others = TOPICS[rng.choice(NEWSGROUPS)]
    near = TOPICS[rng.choice(kin)]
    shares = [(0.6, FILLERS), (0.25, TOPICS[group]), (0.1, near), (0.05, others)]
    lines = _sentences(rng, _draw(rng, shares))
    if rng.random() < 0.05:
        lines.append("See you at the café in Zürich.")
    name = str(rng.choice(PEOPLE))
    return (
        f"From: {name.lower()}@example.org ({name})\n"
        f"Subject: Re: {' '.join(rng.choice(TOPICS[group], 2, replace=False))}\n"
        f"Organization: {rng.choice(PLACES)}\n"
        f"Lines: {len(lines)}\n\n" + "\n".join(lines) + "\n"
    )


def _line(word: str, vector: NDArray[np.float64]) -> str:
    return f"{word} {' '.join(f'{value:.5f}' for value in vector)}\n"


def _tar(members: Mapping[str, bytes]) -> bytes:
    """A compressed tar archive with the folders of the members, and with no time in it."""
    buffer = io.BytesIO()
    folders: set[PurePosixPath] = set()
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for name, content in members.items():
            for folder in reversed(PurePosixPath(name).parents[:-1]):
                if folder not in folders:
                    folders.add(folder)
                    entry = tarfile.TarInfo(str(folder))
                    entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                    archive.addfile(entry)
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def _write(path: str | os.PathLike[str], content: bytes) -> None:
    with new_file(path) as temporary:
        temporary.write_bytes(content)
