/** Checks the units in deploy/systemd with systemd-analyze. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
if (!hasSystemd) console.warn('deploy/systemd was not tested: systemd-analyze is not installed.')

const units = join(import.meta.dirname, '../../deploy/systemd')
const services = readdirSync(units).filter(name => name.endsWith('.service'))

const folder = mkdtempSync(join(tmpdir(), 'units-'))
afterAll(() => rmSync(folder, { recursive: true }))

const check = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8', cwd: folder })
  return { status, output: stdout + stderr }
}

/** Replaces node and our script with a program that every machine has: systemd-analyze checks that the program exists. */
for (const name of readdirSync(units)) {
  const unit = readFileSync(join(units, name), 'utf8')
  writeFileSync(
    join(folder, name),
    unit.replace(/\/srv\/ssdi-advocate\/current\/(node_modules\/\.bin\/node|deploy\/(publish|fetch)\.sh)/, '/bin/true'),
  )
}

describe.runIf(hasSystemd)('systemd', () => {
  test('accepts every unit', () => {
    const { status, output } = check('verify', ...readdirSync(units).map(name => join(folder, name)))
    expect({ status, warnings: output.split('\n').filter(line => line.includes('ssdi-advocate')) }).toEqual({
      status: 0,
      warnings: [],
    })
  })

  test.each(services)('rates the exposure of %s below 2 out of 10', name => {
    const { status, output } = check('security', '--offline=true', '--threshold=19', '--no-pager', join(folder, name))
    expect(output).toMatch(/Overall exposure level for .*: [01]\.\d/)
    expect(status).toBe(0)
  })
})

test.each(services)('%s lets V8 write and execute memory', name => {
  expect(readFileSync(join(units, name), 'utf8')).not.toMatch(/^MemoryDenyWriteExecute=(yes|true|on|1)/m)
})

// StateDirectory= and RequiresMountsFor= would keep it from starting, so no page would be served, and it would stay off when the disk is back.
test.each(['ssdi-advocate.service', 'ssdi-advocate-desk.service'])('%s starts without the data disk', name => {
  expect(readFileSync(join(units, name), 'utf8')).not.toMatch(/^(StateDirectory|RequiresMountsFor)=/m)
})

test.each(services.filter(name => !/publish|fetch/.test(name)))(
  '%s can write to the backup folder, which has ERASURE_LIST',
  name => {
    const setup = readFileSync(join(units, '../setup.sh'), 'utf8')
    const folder = dirname(/ERASURE_LIST (\S+)/.exec(setup)?.[1] ?? '')
    const unit = readFileSync(join(units, name), 'utf8')
    // All other folders are read-only.
    expect(unit).toMatch(/^ProtectSystem=strict$/m)
    expect(/^ReadWritePaths=(.*)$/m.exec(unit)?.[1]?.split(' ')).toContainEqual(expect.stringMatching(`^-?${folder}$`))
  },
)
