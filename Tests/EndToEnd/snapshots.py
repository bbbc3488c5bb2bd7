"""What the gateway shows of users, participants, messages and conversations, with all their fields."""

from checks import Text, Time


def user(id, name=None, **fields):
    """A UserSnapshot with all its fields."""
    defaults = dict(role="default", photoUrl=None, locale=None, custom={}, welcomeMessage=None)
    return {"id": id, "name": name or id, **defaults, **fields}


def participant(user, joinedAt, access="ReadWrite", notify=True):
    return {"user": user, "access": access, "notify": notify, "joinedAt": joinedAt}


def message(conversation, sender, text, origin="web", **fields):
    """A MessageSnapshot with all its fields."""
    return {
        "id": Text(),
        "conversation": conversation,
        "type": "UserMessage",
        "sender": sender,
        "custom": {},
        "createdAt": Time(),
        "editedAt": None,
        "referencedMessage": None,
        "origin": origin,
        "plaintext": text,
        "content": [{"type": "text", "children": [text]}],
        "reactions": [],
        "thread": None,
        **fields,
    }


def quoted(message):
    """A message as it stands in the reply to it."""
    kept = {name: value for name, value in message.items() if name not in ("referencedMessage", "thread")}
    return {**kept, "referencedMessageId": (message["referencedMessage"] or {}).get("id")}


def conversation(id, **fields):
    """A ConversationSnapshot with all its fields."""
    return {
        "id": id,
        "type": "group",
        "subject": None,
        "photoUrl": None,
        "welcomeMessages": [],
        "custom": {},
        "createdAt": Time(),
        "joinedAt": Time(),
        "access": "ReadWrite",
        "notify": True,
        "lastMessage": None,
        "unreadMessageCount": 0,
        "isUnread": False,
        "readUntil": Time(),
        "everyoneReadUntil": Time(),
        "pinnedMessage": None,
        "threadOf": None,
        **fields,
    }
