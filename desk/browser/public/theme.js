// Applies the chosen theme before the first paint, so a dark page doesn't flash white. A module would run too late.
try {
  const theme = localStorage.getItem('desk-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked, so the system setting applies.
}
