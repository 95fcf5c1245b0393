"""What is called to set up a position: each takes arrays of records."""

from macaz.game.compiled.check_board import (
    check_claiming,
    check_lanes,
    check_scores,
    check_setup_board,
    check_trains,
)
from macaz.game.compiled.check_cards import (
    check_card_sums,
    check_pool,
    check_row,
    check_seen,
    check_setup_cards,
)
from macaz.game.compiled.check_marks import (
    check_alvin,
    check_mark_phase,
    check_marks,
    check_networks,
)
from macaz.game.compiled.check_phase import check_flow, check_last_round
from macaz.game.compiled.check_tickets import (
    check_dealt_long,
    check_known,
    check_offers,
    check_queue,
    check_setup_tickets,
    check_ticket_kinds,
    check_ticket_numbers,
)
from macaz.game.compiled.complete import complete
from macaz.game.compiled.layout import (
    CARD_PART,
    MARK_PART,
    PHASE_PART,
    ROUTE_PART,
    TICKET_PART,
)
from macaz.game.compiled.problems import problem_count
from macaz.kernel.layout import SEATS
from macaz.kernel.seen import copy_told


def complete_draft(specs, drafts):
    """Fill in what a draft leaves out."""
    complete(specs[0], drafts[0])


def check_draft(specs, drafts, states, problems, unsound):
    """List what is impossible in a draft that is complete; returns the number of problems.

    `unsound` has the parts that could not be read. The state is working memory.
    """
    spec = specs[0]
    d = drafts[0]
    s = states[0]
    for i in range(len(problems)):
        problems[i].code = 0
    phase = unsound & PHASE_PART == 0
    cards = unsound & CARD_PART == 0
    routes = unsound & ROUTE_PART == 0
    marks = unsound & MARK_PART == 0
    tickets = unsound & TICKET_PART == 0
    if phase:
        check_flow(spec, d, problems)
    if cards and routes and phase:
        check_card_sums(spec, d, problems)
    if cards:
        check_pool(spec, d, problems)
        check_seen(spec, d, problems)
    if cards and phase:
        check_row(spec, d, problems)
        check_setup_cards(spec, d, problems)
    if routes:
        check_lanes(spec, d, s, problems)
        check_trains(spec, d, problems)
        check_scores(spec, d, problems)
    if routes and phase:
        check_setup_board(spec, d, problems)
        if cards:
            check_claiming(spec, d, s, unsound == 0, problems)
        check_last_round(spec, d, s, problems)
    if marks:
        check_marks(spec, d, s, problems)
    if marks and routes and phase:
        check_networks(spec, d, s, problems)
        check_mark_phase(spec, d, s, problems)
        check_alvin(spec, d, problems)
    if tickets:
        check_queue(spec, d, problems)
    if tickets and phase:
        check_ticket_numbers(spec, d, problems)
        check_ticket_kinds(spec, d, problems)
        check_dealt_long(spec, d, problems)
        check_setup_tickets(spec, d, problems)
        check_offers(spec, d, problems)
    if tickets:
        check_known(spec, d, problems)
    return problem_count(problems)


def take_state(drafts, states):
    """The state that a draft without hidden things describes."""
    copy_told(drafts[0], states[0])


def take_view(drafts, views):
    """The view that a draft describes."""
    d = drafts[0]
    v = views[0]
    copy_told(d, v)
    for p in range(SEATS):
        v.hand_size[p] = d.hand_size[p]
        v.held[p] = d.held[p]
        v.offered[p] = d.offered[p]
    v.bundled = d.bundled
    v.seat = d.seat
