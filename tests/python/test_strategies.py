"""The strategies for Hypothesis."""

import pytest

import porpentine

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, find, given, settings  # noqa: E402

from porpentine import strategies  # noqa: E402

QUIET = settings(
    max_examples=25,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
FAULTS = [(model, fault) for model, faults in strategies.FAULTS.items() for fault in faults]


@pytest.mark.parametrize("model", strategies.FAULTS)
def test_every_history_without_a_fault_is_valid(model):
    @QUIET
    @given(strategies.histories(model, keys=(1, 3)))
    def check(history):
        assert porpentine.check(history)

    check()


@pytest.mark.parametrize("model, fault", FAULTS)
def test_every_history_with_a_fault_is_invalid(model, fault):
    @QUIET
    @given(strategies.histories(model, fault=fault))
    def check(history):
        assert porpentine.check(history).invalid

    check()


def test_the_table_of_faults_is_that_of_generate():
    names = {fault for _, fault in FAULTS}
    for model, faults in strategies.FAULTS.items():
        for fault in names:
            try:
                porpentine.generate(model, operations=3, fault=fault)
            except ValueError as error:
                assert ("has no fault" in str(error)) == (fault not in faults), (model, fault)


def test_any_fault_draws_all_of_them():
    drawn = set()

    @QUIET
    @given(strategies.histories("log", fault="any", indeterminate=0.2))
    def check(history):
        result = porpentine.check(history)
        assert result.invalid
        drawn.add(result.failures[0].message.partition(" can't")[2])

    check()
    assert len(drawn) > 2


@pytest.mark.slow
@pytest.mark.parametrize("model, fault", FAULTS)
def test_histories_shrink_to_few_operations_of_few_clients(model, fault):
    smallest = find(
        strategies.histories(model, operations=(1, 200), fault=fault),
        lambda history: porpentine.check(history).invalid,
        settings=settings(QUIET, max_examples=500),
    )
    assert len(smallest) <= 12, list(smallest)
    assert len(smallest.processes) <= 4


def test_ranges_are_kept():
    @QUIET
    @given(strategies.histories("register", operations=(5, 7), clients=2))
    def check(history):
        assert 5 <= len(history) <= 7 and len(history.processes) <= 2

    check()


@pytest.mark.parametrize(
    "model, arguments, message",
    [
        ("abacus", {}, "no histories of 'abacus'"),
        ("register", {"fault": "lost"}, "has no fault 'lost', but stale-read"),
        ("register", {"operations": (3, 2)}, "operations"),
        ("register", {"clients": 0}, "clients"),
    ],
)
def test_misuse_is_an_error_at_once(model, arguments, message):
    with pytest.raises(ValueError, match=message):
        strategies.histories(model, **arguments)
