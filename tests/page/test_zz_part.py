import pytest
from tests.page.screens import SCREENS, show
from tests.page.test_sizes import SIZES, fits, SAID, english_only, RAW_KEY
from tests.page.browser import assert_accessible
from tests.page.conftest import *
WANT=("turn-europe","choose-tickets","tickets-tab","log-tab","others-turn")
@pytest.mark.parametrize("language",["en","ro"])
def test_part(new_page, scene, language):
    page=new_page(locale=language); problems=[]
    for w in SCREENS:
        if w.name not in WANT: continue
        for i,(width,height) in enumerate(SIZES):
            if w.phone and width>640: continue
            page.set_viewport_size({"width":width,"height":height}); show(page,scene,w); problems+=fits(page,w)
        said=page.evaluate(SAID)
        problems += [f"{w.name}: {x} is a key" for x in said if RAW_KEY.fullmatch(x)]
        if language=="ro": problems += [f"{w.name}: {x} EN" for x in said if english_only().search(x)]
        assert_accessible(page)
    assert problems==[], "\n".join(problems)
