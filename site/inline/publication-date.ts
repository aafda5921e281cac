/** The advertorial's date line shows the day on which it is read; the date of the build stands there without script. */
for (const time of document.querySelectorAll('time')) {
  const now = new Date()
  time.textContent = now.toLocaleDateString('en-US', { dateStyle: 'long' })
  time.dateTime = `${now.getFullYear()}-${`0${now.getMonth() + 1}`.slice(-2)}-${`0${now.getDate()}`.slice(-2)}`
}
