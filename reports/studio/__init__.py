"""The studio: a workbench in the browser, on the designer's own machine."""
