/**
 * Sets the advertorial's date line to today; without JavaScript, it shows the build date. The page has the month names, because
 * Intl takes longer to start than the page takes to paint.
 */
const now = new Date()
for (const time of document.querySelectorAll('time')) {
  const { date = '', months = '' } = time.dataset
  time.textContent = date
    .replace('{month}', months.split(' ')[now.getMonth()] ?? '')
    .replace('{day}', `${now.getDate()}`)
    .replace('{year}', `${now.getFullYear()}`)
  time.dateTime = `${now.getFullYear()}-${`0${now.getMonth() + 1}`.slice(-2)}-${`0${now.getDate()}`.slice(-2)}`
}
