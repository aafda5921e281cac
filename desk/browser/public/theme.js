// Before the first paint: people who chose dark must not be dazzled by a light page. A module would run too late.
try {
  const theme = localStorage.getItem('desk-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage may be blocked; the system's setting applies.
}
