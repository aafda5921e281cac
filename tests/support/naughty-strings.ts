/** Text that breaks programs which trust it: for every door that strangers can use. */

/** Names that people have. They stay as they are. */
export const realNames = [
  ..."O'Brien|O’Brien|O‘Brien|Kaʻiulani|D´Angelo|Núñez-Ávila|Łukasz|Đặng|Nguyễn Thị|Þórr|Weiß|Ng|X Æ".split('|'),
  ...'محمد|عبد الله|علی\u200cرضا|שלום|क्\u200dषिति|สมชาย|山田 太郎|김|Ольга|Γιώργος|ﷺ|👩‍👩‍👧|❤️'.split('|'),
  ...'Null|undefined|True|NaN|Infinity|Test|Drop|Script|constructor|__proto__|toString|DROP TABLE leads'.split('|'),
]

const controls = '\u0001|\u0007|\b|\t|\r\n|\u001b[2J|\u001b]0;x\u0007|\u007f|\u0085|\u2028|\u2029'.split('|')
const turning = [...'\u202e\u202d\u2066\u2067\u2068\u2069\u200e\u200f\u061c']
const unseen = [...'\u200b\u200c\u200d\u2060\u00ad\ufeff\u034f\u115f\u3164\u180e\u{e0041}\u{e0001}']
const half = '\ud800|\udfff|\ud83d|\ufffd|\uffff|\0|\u{10ffff}'.split('|')

export const naughtyStrings = [
  ...realNames,
  ...[...controls, ...turning, ...unseen, ...half].flatMap(character => [character, `Ann${character}Lee`]),
  ...'ann\u202egro.elpmaxe@moc.dab zed\u200b@example.org mailto:zed@example.org <zed@example.org>'.split(' '),
  ...'zed@example zed\u0001@example.org #zed@example.org o#brien@example.org'.split(' '),
  ..."ann@example.org,2125557701 a@b@c.org @ ann@例え.jp x'--@example.org".split(' '),
  ...'=1+1 +cmd|calc!A0 -2+3 @SUM(A1) \t=1 ;=1 ＝1+1 %0a=1 "=1" |x'.split(' '),
  ...'<script>alert(1)</script> </title><b> <!-- &lt;b&gt; {{value:email}}'.split(' '),
  ...[
    '"><img src=x onerror=alert(1)>',
    '"a b"@example.org',
    "' onfocus=alert(1) x='",
    "'; DROP TABLE leads;--",
    "' OR 1=1 --",
  ],
  ...`% _ \\ \\' %00 %u202e $1 $(id) \`id\` $${'{7*7}'} #{7*7} ../../etc/passwd`.split(' '),
  ...'２１２５５５０１８７ ٢١٢٥٥٥٠١٨٧ tel:+12125550187 0a1b2c3d4e5f6a7b8c9d 1e309 -0'.split(' '),
  ...['1111111111', '212-555-0187 ext 4', '+44 20 7946 0958'],
  ...[`1${' '.repeat(1500)}y`, `0${'a'.repeat(1500)}0`, `a@${'.'.repeat(1500)}`],
  ...['\u0301'.repeat(400), '<'.repeat(600), '🙂'.repeat(120), 'ﷺ'.repeat(99)],
]
