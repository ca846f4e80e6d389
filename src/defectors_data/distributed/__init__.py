"""Builds on several machines: Dask and object stores."""
