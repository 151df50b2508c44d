"""The rules as a machine that runs from decision to decision."""
