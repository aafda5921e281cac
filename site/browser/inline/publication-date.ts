/**
 * Sets the advertorial's date line to today; without JavaScript, it shows the build date. Month names are listed here because
 * Intl takes longer to start than the page takes to paint.
 */
const months = 'January February March April May June July August September October November December'.split(' ')
const now = new Date()
for (const time of document.querySelectorAll('time')) {
  time.textContent = `${months[now.getMonth()]} ${now.getDate()}, ${now.getFullYear()}`
  time.dateTime = `${now.getFullYear()}-${`0${now.getMonth() + 1}`.slice(-2)}-${`0${now.getDate()}`.slice(-2)}`
}
