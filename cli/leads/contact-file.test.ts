import { expect, test } from 'vitest'
import { readContactFile } from './contact-file.ts'

const [ann, bob, number] = [{ email: 'ann@example.org' }, { email: 'o#brien@example.org' }, { phone: '2125557701' }]

test.each<[string, string, readonly object[], readonly number[]]>([
  ['one in a line', '\ufeff# asked us\r\n\r\nann@example.org # by mail\n(212) 555-7701#\n', [ann, number], []],
  ['what --list prints', 'o#brien@example.org  # 2030-01-16\n2125557701  # 2030-01-16\n', [bob, number], []],
  ['two in a row', 'ann@example.org,2125557701\n', [ann, number], []],
  [
    'a table',
    'Name;Email;Phone\n"Lee; Ann";ann@example.org;\nBob;"o#brien@example.org";212-555-7701\n',
    [ann, bob, number],
    [],
  ],
  [
    'a # in a table',
    '# asked us\nname,address,phone # by mail\nAnn,12 Main St #4,212-555-7701\n# Bob,,212-555-7701\n',
    [number, number],
    [],
  ],
  ['more or fewer cells than names', 'phone,name\n2125557701,Lee, Ann\n2125557701\n', [number, number], [2, 3]],
  ['columns that aren’t contacts', 'id,email,born\n9995550100,ann@example.org,1965-12-10\n', [ann], []],
  ['no names for the columns', 'Ann,2125557701\nann@example.org\n', [number, ann], [1]],
  ['a digit missing', 'Apt 4, 212555770\n2125557701', [number], [1]],
  ['a row without any', 'email,phone\nann@example.org,\n,\n"",""\nx,\n', [ann], [5]],
  ['two addresses', 'ann@example.org bob@example.org\nann@example\n', [], [1, 2]],
])('%s', (_, text, contacts, unreadable) => expect(readContactFile(text)).toEqual({ contacts, unreadable }))
