"""Activities inside activities: a stack of frames, instead of kernels that call each other.

An activity that may have to wait for a decision, or for another activity, keeps its numbers in a
frame.  Word STEP of a frame says what the activity does next; what the other words are, each
activity says itself.  The machine always performs the step of the top frame:

* to go on, an activity sets its STEP;
* to start another one, it sets its own STEP to what follows, and calls a kernel that pushes a
  frame;
* when it is over, it pops its frame; ``state.result`` may tell the one below something.
"""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.table.limits import FRAME_WORDS, FRAMES
from simcore.mice_and_mystics.table.masks import numbers
from simcore.mice_and_mystics.table.unknown_words import ACTIVITIES, _unknown

#: Words of a frame.
(STEP, W1, W2, W3, W4, W5, W6, W7, W8, W9, W10, W11, W12, W13, W14, W15) = numbers(FRAME_WORDS)
#: In the lowest frame, during a turn of minions: the figure that acts.
ACTING_FIGURE = W1


@inline_kernel
def _top(state):
    """The frame of the running activity, an array of FRAME_WORDS."""
    return state.frame[state.depth]


@kernel
def _push(state, step):
    """Start an activity at a step; its frame, all other words 0.  Modifies state."""
    if state.depth + 1 >= FRAMES:
        _unknown(state, ACTIVITIES, step)
        return state.frame[state.depth]
    state.depth += 1
    frame = state.frame[state.depth]
    for word in range(FRAME_WORDS):
        frame[word] = 0
    frame[STEP] = step
    return frame


@inline_kernel
def _go(state, step):
    """Let the running activity go on at a step.  Modifies state."""
    state.frame[state.depth, STEP] = step


@inline_kernel
def _pop(state):
    """The running activity is over.  Modifies state."""
    state.depth -= 1
