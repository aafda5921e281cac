import { expect, test } from 'vitest'
import { withoutPassword } from './backup.ts'

test.each([
  ['postgres://leads@db/leads', 'postgres://leads@db/leads', null],
  ['postgres://db/leads?sslmode=require', 'postgres://db/leads?sslmode=require', null],
  ['postgres://leads:@db/leads', 'postgres://leads@db/leads', null],
  ['postgres://leads:s%40cret@db:5432,other:5433/leads', 'postgres://leads@db:5432,other:5433/leads', 's@cret'],
  ['postgres://leads:s@cret:too@db/leads', 'postgres://leads@db/leads', 's@cret:too'],
  ['postgres://leads@db/leads?password=secret', 'postgres://leads@db/leads', 'secret'],
  ['postgres://leads@db?password=s%26cret+1&sslmode=require', 'postgres://leads@db?sslmode=require', 's&cret 1'],
  ['postgres://db/leads?a=1&pass%77ord=secret&b=2', 'postgres://db/leads?a=1&b=2', 'secret'],
  ['postgres://leads:old@db/leads?password=new', 'postgres://leads@db/leads', 'new'],
  ['postgres://leads:old@db/leads?password=one&password=two', 'postgres://leads@db/leads', 'two'],
  ['postgres://leads:secret@db/leads?password=', 'postgres://leads@db/leads', 'secret'],
  ['postgres://leads:secret@db/leads?sslkey=k&sslpassword=too', 'postgres://leads@db/leads?sslkey=k', 'secret'],
])('the password in %s never reaches pg_dump’s command line', (url, database, password) => {
  expect(withoutPassword(url)).toEqual({ database, password })
})
