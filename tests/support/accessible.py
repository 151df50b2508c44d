"""What axe-core finds in a page that keeps somebody from using it."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def faults_of(page: Page) -> list[str]:
    """Violations that axe-core calls serious or critical, each with the first place."""
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]} ({len(one['nodes'])} places)"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
