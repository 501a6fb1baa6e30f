"""Models in Python."""

import threading

import pytest

import porpentine
from sequential import Log, Queue, Register


class TicketLock:
    """A lock that only its holder releases."""

    initial = None
    tells_processes = True

    def step(self, state, operation):
        if operation.f == "acquire":
            return operation.process if state is None else porpentine.refuse(f"{state} holds it")
        return None if state == operation.process else porpentine.refuse("it is held by another")


class Dice:
    """A die that is rolled, and read."""

    initial = 1

    def step(self, state, operation):
        if operation.f == "roll":
            return porpentine.any_of(*range(1, 7))
        return state if operation.returns(state) else porpentine.refuse(f"it shows {state}")

    def describe(self, state):
        return f"the side {state}"


def rows(*operations):
    """Operations one after the other: (process, f, input, output)."""
    return [
        {"process": process, "f": f, "input": input, "output": output, "call": 10 * i, "return": 10 * i + 5}
        for i, (process, f, input, output) in enumerate(operations)
    ]


MODELS = {"register": Register, "log": Log, "queue": Queue}


@pytest.mark.parametrize(
    "name, operations, indeterminate, fault, seeds",
    [
        ("register", 200, 0.1, "none", 20),
        ("register", 200, 0.1, "stale-read", 20),
        ("log", 200, 0.05, "none", 20),
        ("log", 40, 0.0, "stale-read", 3),
        ("queue", 30, 0.0, "none", 20),
        ("queue", 30, 0.0, "duplicate", 3),
    ],
)
def test_verdicts_are_those_of_the_native_model(name, operations, indeterminate, fault, seeds):
    for seed in range(seeds):
        history = porpentine.generate(
            name, operations=operations, clients=5, indeterminate=indeterminate, fault=fault, fault_at=0.5, seed=seed
        )
        verdict = porpentine.check(history, MODELS[name]).verdict
        assert verdict == porpentine.check(history, name).verdict == ("valid" if fault == "none" else "invalid")
        if fault == "none":
            assert porpentine.check(history, MODELS[name], verify=True, test_promises=True).valid


@pytest.mark.parametrize("order", ["portfolio", "breadth-first", "depth-first"])
def test_a_step_is_asked_once_whatever_the_search_and_explanations_do(order):
    # The model itself asserts that no question comes twice.
    history = porpentine.generate("register", operations=3000, clients=8, values=4, cas_share=0.3, indeterminate=0.01)
    model = Register()
    result = porpentine.check(history, model, order=order)
    assert result.valid and result.order is not None
    assert model.calls <= 5 * 60
    stale = porpentine.generate("register", operations=60, clients=4, fault="stale-read", fault_at=0.5)
    result = porpentine.check(stale, Register(), order=order)
    assert result.invalid and "is refused: the register holds" in result.explain()
    assert "the register holds" in result.to_html()


def test_keys_are_judged_apart():
    history = porpentine.generate("log", operations=2000, keys=20)
    result = porpentine.check(history, Log)
    assert result.valid and len(result.orders) == 20


def test_a_model_may_say_what_is_judged_apart():
    class ByCustomer(Register):
        def partition_key(self, operation):
            return (operation.input or operation.output)[0]

        def step(self, state, operation):
            if operation.f == "write":
                return operation.input[1]
            return state if operation.returns([operation.output[0], state]) else porpentine.refuse("no")

    history = rows((0, "write", ["a", 1], None), (1, "write", ["b", 2], None), (0, "read", None, ["a", 1]))
    result = porpentine.check(history, ByCustomer())
    assert result.valid and set(result.orders) == {"a", "b"}


def test_a_nondeterministic_model_keeps_every_possibility():
    assert porpentine.check(rows((0, "roll", None, None), (0, "look", None, 5)), Dice)
    result = porpentine.check(
        rows((0, "roll", None, None), (0, "look", None, 5), (1, "look", None, 6)), Dice, test_promises=True
    )
    assert result.invalid and "the side 5" in result.explain()
    assert "where it shows 5" in result.failures[0].message


def test_a_model_may_tell_processes():
    good = rows((0, "acquire", None, None), (0, "release", None, None), (1, "acquire", None, None))
    bad = rows((0, "acquire", None, None), (1, "release", None, None))
    assert porpentine.check(good, TicketLock) and not porpentine.check(bad, TicketLock)


def test_a_model_that_does_not_say_so_sees_no_processes():
    class Curious(Register):
        def step(self, state, operation):
            return operation.process

    with pytest.raises(AttributeError, match="tells_processes = True"):
        porpentine.check(rows((0, "read", None, None)), Curious)


def test_what_a_model_raises_arrives_with_the_operation():
    class Broken(Register):
        def step(self, state, operation):
            if operation.input == 3:
                raise KeyError("three")
            return operation.input

    history = rows((0, "write", 1, None), (0, "write", 3, None))
    with pytest.raises(KeyError) as caught:
        porpentine.check(history, Broken)
    assert caught.value.operation.input == 3
    assert all("write(3) by process 0" in note for note in getattr(caught.value, "__notes__", []))


def test_a_state_that_can_not_be_hashed_is_a_type_error():
    class Unhashable(Register):
        def step(self, state, operation):
            return [operation.input]

    with pytest.raises(TypeError, match="unhashable") as caught:
        porpentine.check(rows((0, "write", 1, None)), Unhashable)
    assert caught.value.operation.f == "write"


def test_a_broken_promise_is_found_where_one_asks():
    class Liar(Register):
        def read_only(self, operation):
            return True

    with pytest.raises(RuntimeError, match="promise of read_only"):
        porpentine.check(rows((0, "write", 1, None)), Liar, test_promises=True)


def test_what_is_no_model_is_a_type_error():
    with pytest.raises(TypeError, match="`initial` and `step`"):
        porpentine.check(rows((0, "write", 1, None)), 5)


def test_equality_of_outputs_is_that_of_json():
    operation = porpentine.ModelOperation("f", None, None, [1.0, True, {"a": None}], False)
    assert operation.returns((1, True, {"a": None}))
    assert not operation.returns([1, 1, {"a": None}]) and not operation.returns([1, True])
    assert porpentine.ModelOperation("f", None, None, None, True).returns("anything")


def test_checks_with_python_models_run_in_several_threads():
    results = []

    def check(seed):
        history = porpentine.generate("register", operations=500, seed=seed)
        results.append(porpentine.check(history, Register).valid)

    threads = [threading.Thread(target=check, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4
