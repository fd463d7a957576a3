# SPDX-License-Identifier: MIT
"""Litmus programs (.txn), read and run by themselves: docs/PROGRAMS.md says what they mean.

Shares nothing with src/, so that what is counted with it says something about src/.
A transaction is run again from its beginning for each read that it gets an answer to.
"""
import re

TOKEN = re.compile(
    r'\s*(?:#[^\n]*\n\s*)*(?:(?P<number>\d+)|(?P<text>"[^"]*")|(?P<name>[A-Za-z_]\w*)'
    r'|(?P<sign>:=|==|!=|<=|>=|\|\||&&|[-+<>!(){}\[\],;=.]))')
WORDS = {"null": None, "true": 1, "false": 0}
LEVELS = (("||",), ("&&",), ("==", "!=", "<", "<=", ">", ">="), ("+", "-"))


class Reader:
    """Recursive descent; expressions become functions of the local variables."""

    def __init__(self, text):
        self.tokens, at = [], 0
        text = text.rstrip() + "\n"
        while text[at:].strip() and not re.fullmatch(r"(\s*#[^\n]*\n?)*\s*", text[at:]):
            found = TOKEN.match(text, at)
            if not found:
                raise SyntaxError(text[at:at + 40])
            self.tokens.append((found.lastgroup, found[found.lastgroup]))
            at = found.end()
        self.at = 0

    def peek(self):
        return self.tokens[self.at][1] if self.at < len(self.tokens) else None

    def take(self, expected=None):
        kind, text = self.tokens[self.at]
        if expected is not None and text != expected:
            raise SyntaxError(f"{expected} expected, {text} found")
        self.at += 1
        return text[1:-1] if kind == "text" else text

    def is_text(self):
        return self.tokens[self.at][0] == "text"

    # --- expressions ---

    def expression(self, level=0):
        if level == len(LEVELS):
            return self.unary()
        left = self.expression(level + 1)
        while self.peek() in LEVELS[level] and not self.is_text():
            left = binary(self.take(), left, self.expression(level + 1))
        return left

    def unary(self):
        if self.peek() == "!":
            self.take()
            inner = self.unary()
            return lambda scope: int(not inner(scope))
        if self.peek() == "-":
            self.take()
            inner = self.unary()
            return lambda scope: -inner(scope)
        return self.primary()

    def primary(self):
        kind, text = self.tokens[self.at]
        self.take()
        if kind == "number":
            return constant(int(text))
        if kind == "text":
            return constant(text[1:-1])
        if text == "(":
            inner = self.expression()
            self.take(")")
            return inner
        if text == "[":
            return listed(self.arguments("]"))
        if text in WORDS:
            return constant(WORDS[text])
        if self.peek() == "(":
            self.take()
            return called(text, self.arguments(")"))
        if self.peek() == ".":
            raise SyntaxError("final asserts are not read")
        return lambda scope: scope.get(text)

    def arguments(self, end):
        out = []
        while self.peek() != end:
            out.append(self.expression())
            if self.peek() == ",":
                self.take()
        self.take(end)
        return out

    # --- statements ---

    def block(self, end):
        out = []
        while self.peek() not in end:
            out.append(self.statement())
        return out

    def braces(self):
        self.take("{")
        out = self.block("}")
        self.take("}")
        return out

    def statement(self):
        word = self.take()
        if word == "if":
            self.take("(")
            condition = self.expression()
            self.take(")")
            then, otherwise = self.braces(), []
            if self.peek() == "else":
                self.take()
                otherwise = self.braces()
            return ("if", condition, then, otherwise)
        if word == "foreach":
            variable = self.take()
            self.take("in")
            return ("foreach", variable, self.expression(), self.braces())
        if word == "write":
            self.take("(")
            key, value = self.arguments(")")
            out = ("write", key, value)
        elif word in ("abort", "assert"):
            out = (word, self.expression() if word == "assert" else None)
        else:
            self.take(":=")
            if self.peek() == "read":
                self.take()
                self.take("(")
                out = ("read", word, self.arguments(")")[0])
            else:
                out = ("set", word, self.expression())
        self.take(";")
        return out

    def program(self):
        self.take("program")
        self.take()
        initial, sessions = {}, []
        self.take("init")
        self.take("{")
        while self.peek() != "}":
            key = self.take()
            self.take("=")
            initial[key] = self.expression()({})
            self.take(";")
        self.take("}")
        while self.peek() == "session":
            self.take()
            if self.is_text():
                self.take()
            self.take("{")
            sessions.append([])
            while self.peek() == "begin":
                self.take()
                if self.is_text():
                    self.take()
                sessions[-1].append(self.block(("commit",)))
                self.take("commit")
                self.take(";")
            self.take("}")
        return initial, sessions


def constant(value):
    return lambda scope: value


def listed(parts):
    return lambda scope: tuple(part(scope) for part in parts)


def binary(sign, left, right):
    return {
        "||": lambda scope: int(bool(left(scope)) or bool(right(scope))),
        "&&": lambda scope: int(bool(left(scope)) and bool(right(scope))),
        "==": lambda scope: int(left(scope) == right(scope)),
        "!=": lambda scope: int(left(scope) != right(scope)),
        "<": lambda scope: int(left(scope) < right(scope)),
        "<=": lambda scope: int(left(scope) <= right(scope)),
        ">": lambda scope: int(left(scope) > right(scope)),
        ">=": lambda scope: int(left(scope) >= right(scope)),
        "+": lambda scope: integer(left(scope)) + integer(right(scope)),
        "-": lambda scope: integer(left(scope)) - integer(right(scope)),
    }[sign]


def integer(value):
    if not isinstance(value, int):
        raise TypeError(value)
    return value


def at(items, index):
    if index < 0:
        raise IndexError(index)
    return items[index]


def without_first(items, item):
    place = items.index(item) if item in items else len(items)
    return items[:place] + items[place + 1:]


def piece(text, index):
    part = text.split(":")[index]
    return int(part) if re.fullmatch(r"-?\d+", part) else part


FUNCTIONS = {
    "append": lambda items, item: items + (item,),
    "remove": without_first,
    "contains": lambda items, item: int(item in items),
    "size": len,
    "get": at,
    "set": lambda items, index, item: items[:index] + (item,) + items[index + 1:],
    "cat": lambda *parts: "".join(str(part) for part in parts),
    "startswith": lambda text, start: int(text.startswith(start)),
    "endswith": lambda text, end: int(text.endswith(end)),
    "part": piece,
    "max": max,
}


def called(name, arguments):
    function = FUNCTIONS[name]
    return lambda scope: function(*(argument(scope) for argument in arguments))


class Aborted(Exception):
    """The transaction drops its writes; its reads stay.  So does a value of the wrong kind."""


WRONG_KIND = (TypeError, IndexError, AttributeError)


class Wants(Exception):
    """The transaction wants to read a key, and nobody has said yet what it gets."""


class Run:
    """A transaction, as far as the values given for its reads go."""

    def __init__(self, body, values):
        self.values, self.scope, self.writes, self.keys = values, {}, {}, []
        self.status, self.wanted = "committed", None
        try:
            self.block(body)
        except (Aborted, *WRONG_KIND):
            self.status, self.writes = "aborted", {}
        except Wants as wants:
            self.status, self.wanted = "pending", wants.args[0]

    def block(self, body):
        for statement in body:
            getattr(self, "do_" + statement[0])(*statement[1:])

    def do_if(self, condition, then, otherwise):
        self.block(then if condition(self.scope) else otherwise)

    def do_foreach(self, variable, items, body):
        for item in items(self.scope):
            self.scope[variable] = item
            self.block(body)

    def do_set(self, variable, expression):
        self.scope[variable] = expression(self.scope)

    def do_write(self, key, value):
        self.writes[key(self.scope)] = value(self.scope)

    def do_read(self, variable, key):
        name = key(self.scope)
        if name in self.writes:
            self.scope[variable] = self.writes[name]
            return
        if len(self.keys) == len(self.values):
            raise Wants(name)
        self.scope[variable] = self.values[len(self.keys)]
        self.keys.append(name)

    def do_abort(self, _):
        raise Aborted

    def do_assert(self, condition):
        if not condition(self.scope):
            raise Aborted


class Program:
    """Transactions are numbered session by session from 1; 0 is the initial one."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.initial, sessions = Reader(file.read()).program()
        self.bodies, self.sessions, self.previous, self.runs = [None], [], [None], {}
        for session in sessions:
            numbers = list(range(len(self.bodies), len(self.bodies) + len(session)))
            self.sessions.append(numbers)
            self.previous += [0] + numbers[:-1] if numbers else []
            self.bodies += session

    def run(self, txn, values):
        if (txn, values) not in self.runs:
            self.runs[txn, values] = Run(self.bodies[txn], values)
        return self.runs[txn, values]
