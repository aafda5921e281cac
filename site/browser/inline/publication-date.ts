/**
 * The advertorial's date line shows the day on which it is read; the date of the build stands there without script.
 * The months are spelled out here because the browser's own formatting takes longer to start up than the page to paint.
 */
const months = 'January February March April May June July August September October November December'.split(' ')
const now = new Date()
for (const time of document.querySelectorAll('time')) {
  time.textContent = `${months[now.getMonth()]} ${now.getDate()}, ${now.getFullYear()}`
  time.dateTime = `${now.getFullYear()}-${`0${now.getMonth() + 1}`.slice(-2)}-${`0${now.getDate()}`.slice(-2)}`
}
