figures.forEach((one, i) => Plotly.newPlot(
  `figure${i}`, one.data, one.layout, { displayModeBar: false, staticPlot: false }));
