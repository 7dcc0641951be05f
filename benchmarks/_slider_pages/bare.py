"""As little as Streamlit needs for a slider that moves one of the same two curves."""

import json
import os
from pathlib import Path

import plotly.graph_objects as go
import streamlit as st


@st.cache_resource
def curves():
    return json.loads(Path(os.environ["BENCHMARK_CURVES"]).read_text(encoding="utf-8"))


true, private = curves()["true"], curves()["private"]
epsilon = st.select_slider("Epsilon", list(private), value="1", key="epsilon")
figure = go.Figure(
    [
        go.Scatter(x=true[0], y=true[1], name="true"),
        go.Scatter(x=private[epsilon][0], y=private[epsilon][1], name="private"),
    ]
)
st.plotly_chart(figure)
