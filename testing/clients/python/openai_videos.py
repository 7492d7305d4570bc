"""Videos and edits of images with the unmodified `openai` package. Prints its paid and its failed orders."""
import os
import struct
import zlib

from openai import BadRequestError, NotFoundError, OpenAI

client = OpenAI(base_url=os.environ["RELAY_BASE_URL"], api_key=os.environ["RELAY_API_KEY"], max_retries=0)
given = {"model": "super-relay-2", "prompt": "A paper boat", "seconds": "5", "size": "1280x720"}
orders = 0


def paid(answer):
    global orders
    orders += 1
    return answer


def png(side):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(b"".join(b"\0" + b"\x80" * 3 * side for _ in range(side)))
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def finished(video):
    while video.status in ("queued", "in_progress"):
        video = client.videos.poll(video.id, poll_interval_ms=50)
    return video


# Create, poll, content.
created = paid(client.videos.create(**given))
assert created.object == "video" and created.status in ("queued", "in_progress"), created
assert created.seconds == "5" and created.size == "1280x720", created
video = finished(client.videos.retrieve(created.id))
assert video.status == "completed" and video.progress == 100, video
file = client.videos.download_content(video.id).read()
assert file[4:8] == b"ftyp", file[:16]
with client.videos.with_streaming_response.download_content(
    video.id, extra_headers={"range": "bytes=0-99"}
) as part:
    assert part.status_code == 206 and part.read() == file[:100]

# Create and poll, with a file as the first frame.
second = paid(client.videos.create_and_poll(
    **given, input_reference=("frame.png", png(320), "image/png"), poll_interval_ms=50,
))
assert second.status == "completed", second

# A failed one says why, and costs nothing.
failed = client.videos.create_and_poll(**{**given, "prompt": "[[fail]]"}, poll_interval_ms=50)
assert failed.status == "failed" and failed.error.code == "upstream_failed", failed

# List, in pages of the package's own, and delete.
listed = [each.id for each in client.videos.list(limit=1, order="asc")]
assert listed == [video.id, second.id, failed.id], listed
deleted = client.videos.delete(video.id)
assert deleted.deleted and deleted.id == video.id, deleted
assert video.id not in [each.id for each in client.videos.list()]

# Refusals have the classes that callers catch.
for call, kind in (
    (lambda: client.videos.create(**{**given, "size": "1x1"}), BadRequestError),
    (lambda: client.videos.download_content(second.id, variant="spritesheet"), BadRequestError),
    (lambda: client.videos.retrieve("video_none"), NotFoundError),
    (lambda: client.videos.remix(second.id, prompt="again"), NotFoundError),
):
    try:
        call()
        raise AssertionError("it was not refused")
    except kind:
        pass

# An image, and one made from others.
image = {"model": "super-relay-img", "prompt": "A fox", "size": "512x512"}
made = paid(client.images.generate(**image)).data[0]
assert made.url.startswith("http"), made
edited = paid(client.images.edit(image=[("a.png", png(64)), ("b.png", png(64))], **image)).data[0]
assert edited.url.startswith("http"), edited

print(orders, 1)
