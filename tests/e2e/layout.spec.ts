/** What is visible where, and that nothing moves by itself. */

import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { landing } from '../../content/landing.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { asked } from '../support/answers.ts'
import { expect, homes, NOT_FOUND, REAL_TIME, test } from './visitor.ts'

const phone = { width: 360, height: 740 }
const desktop = { width: 1280, height: 800 }

test.describe('1920×1080', () => {
  test.use({ viewport: { width: 1920, height: 1080 } })
  test('the next section shows below the first one', async ({ visitor, page }) => {
    await visitor.open('/')
    await expect(page.getByRole('heading', { name: landing.socialProof.heading })).toBeInViewport({ ratio: 1 })
  })
})

for (const viewport of [{ width: 390, height: 844 }, desktop]) {
  test.describe(`${viewport.width}×${viewport.height}`, () => {
    test.use({ viewport })
    test('headline, first question and both buttons are visible without scrolling', async ({ visitor, page }) => {
      await visitor.open('/')
      await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 })
      await expect(visitor.question(1)).toBeInViewport({ ratio: 1 })
      for (const name of [questionnaire.yes, questionnaire.no]) {
        await expect(visitor.button(name)).toBeInViewport({ ratio: 1 })
        expect((await visitor.button(name).boundingBox())?.height).toBeGreaterThanOrEqual(60)
      }
      const [yes, no] = await Promise.all(
        [questionnaire.yes, questionnaire.no].map(name => visitor.button(name).boundingBox()),
      )
      expect(yes?.y).toBe(no?.y)
      expect(yes?.width).toBe(no?.width)
    })
  })
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })
  test('the contact form, down to its button, has the screen to itself', async ({ visitor, page }) => {
    await visitor.reachContact()
    await expect(visitor.field('firstName')).toBeInViewport({ ratio: 1 })
    await expect(visitor.submitButton).toBeInViewport({ ratio: 1 })
    await expect(page.getByText(landing.hero.lead)).toBeHidden()
    // Folded to the eye only: the page keeps its heading.
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  })
})

test('every picture is shown whole, and its room is kept before it comes', async ({ visitor, page }) => {
  for (const path of ['/', '/advertorial', '/thank-you', '/decline']) {
    await visitor.open(path)
    const pictures = await page.locator('main img').evaluateAll(images =>
      images.map(image => {
        const { width, height } = image.getBoundingClientRect()
        const [given, shown] = [
          Number(image.getAttribute('width')) / Number(image.getAttribute('height')),
          width / height,
        ]
        return { fit: getComputedStyle(image).objectFit, cropped: Math.abs(given / shown - 1) > 0.01 }
      }),
    )
    expect(pictures.length, path).toBeGreaterThan(0)
    for (const picture of pictures) expect(picture, path).toEqual({ fit: 'fill', cropped: false })
  }
})

/** Every layout shift that did not follow within half a second of the visitor's own press or scroll. */
async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { shifts: seen })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
        sources: { node: Node | null }[]
      })[]) {
        if (entry.hadRecentInput) continue
        seen.push(
          `${entry.value.toFixed(4)} ${entry.sources.map(({ node }) => node?.textContent?.slice(0, 40)).join(' | ')}`,
        )
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)
}

for (const viewport of [phone, desktop]) {
  for (const { name, path, anchor } of homes) {
    test.describe(`${name} at ${viewport.width} px`, () => {
      test.use({ viewport })
      // Real time throughout: a shift counts only when half a second has passed since the last press.
      test('nothing shifts, from the load to the contact form', async ({ visitor, page }) => {
        const shifts = await watchShifts(page)
        await visitor.open(`${path}${anchor}`)
        await visitor.ready()
        await page.waitForTimeout(700)
        await visitor.answerAll([], REAL_TIME)
        await expect(visitor.submitButton).toBeVisible()
        await page.waitForTimeout(700)
        expect(await shifts()).toEqual([])
      })

      test('nothing shifts on the way to the loading view', async ({ visitor, page }) => {
        const shifts = await watchShifts(page)
        await visitor.open(path)
        await visitor.ready()
        await page.waitForTimeout(700)
        await visitor.answerAll([6], REAL_TIME)
        await expect(visitor.panel.getByText(questionnaire.loading)).toBeVisible()
        await page.waitForTimeout(700)
        expect(await shifts()).toEqual([])
      })
    })
  }
}

test('the advertorial’s loading view takes the form’s place without moving anything', async ({ visitor, page }) => {
  const shifts = await watchShifts(page)
  await visitor.reachContact('/advertorial')
  await visitor.fillIn()
  await page.waitForTimeout(700)
  visitor.site.receiver.answer = 'wait'
  await visitor.submit()
  await page.waitForTimeout(900)
  visitor.site.receiver.release()
  await expect(visitor.panel.getByText(questionnaire.loading)).toBeVisible()
  await page.waitForTimeout(500)
  expect(await shifts()).toEqual([])
})

const tight = [
  { name: '320 px wide', viewport: { width: 320, height: 640 }, css: '' },
  { name: '200 % text on a phone', viewport: { width: 390, height: 844 }, css: 'html{font-size:200%}' },
  { name: '200 % text on a desktop', viewport: { width: 1280, height: 800 }, css: 'html{font-size:200%}' },
  { name: '200 % text at 320 px', viewport: { width: 320, height: 640 }, css: 'html{font-size:200%}' },
  {
    name: 'text spacing of WCAG 1.4.12',
    viewport: { width: 360, height: 740 },
    css: '*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}p{margin-bottom:2em!important}',
  },
]

async function expectNothingCutOff(page: Page, about?: string) {
  const problems = await page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const found =
      document.documentElement.scrollWidth > width ? [`page is ${document.documentElement.scrollWidth} wide`] : []
    for (const element of document.querySelectorAll('h1,h2,h3,p,a,button,input,label,summary,li,dt,dd,span')) {
      const box = element.getBoundingClientRect()
      if (box.width === 0 || element.closest('.sr-only, [class*="sr-only"]')) continue
      if (box.right > width + 1 || box.left < -1) found.push(`outside: ${element.textContent?.slice(0, 40)}`)
      const { overflowX } = getComputedStyle(element)
      if (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1 && element.tagName !== 'INPUT') {
        found.push(`cut off: ${element.textContent?.slice(0, 40)}`)
      }
    }
    return found
  })
  expect(problems, about).toEqual([])
}

test.describe('in little room', () => {
  // The extra style is the visitor's own, to which no page's policy applies.
  test.use({ bypassCSP: true })

  for (const path of ['/', '/advertorial', '/thank-you', '/decline', '/no/such/page']) {
    test(`${path} is not cut off`, async ({ visitor, page, watched }) => {
      watched.allow({ console: NOT_FOUND })
      await visitor.open(path)
      for (const { name, viewport, css } of tight) {
        await page.setViewportSize(viewport)
        const style = await visitor.unfold(css)
        await expectNothingCutOff(page, name)
        await style.evaluate(element => (element as Element).remove())
      }
    })
  }

  for (const path of ['/', '/thank-you']) {
    test(`no word of the headline of ${path} is broken, however large the text`, async ({ visitor, page }) => {
      await visitor.open(path)
      for (const { name, viewport, css } of tight) {
        await page.setViewportSize(viewport)
        const style = await visitor.unfold(css)
        const broken = await page.getByRole('heading', { level: 1 }).evaluate(heading => {
          const found: string[] = []
          const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT)
          for (let node = texts.nextNode(); node; node = texts.nextNode()) {
            for (const { index, 0: word } of (node.textContent ?? '').matchAll(/[^\s-]+/g)) {
              const range = document.createRange()
              range.setStart(node, index)
              range.setEnd(node, index + word.length)
              if (new Set(Array.from(range.getClientRects(), ({ top }) => top)).size > 1) found.push(word)
            }
          }
          return found
        })
        expect(broken, name).toEqual([])
        await style.evaluate(element => (element as Element).remove())
      }
    })
  }

  for (const { name, viewport, css } of tight) {
    test.describe(name, () => {
      test.use({ viewport })
      test('the questionnaire can be finished', async ({ visitor, page, site }) => {
        await page.clock.install()
        await visitor.open('/')
        await visitor.unfold(css)
        await visitor.ready()
        for (const { number, requiredAnswer } of asked) {
          await expect(visitor.question(number)).toBeVisible()
          if (number > 1) await expect(visitor.question(number)).toBeInViewport()
          await expectNothingCutOff(page)
          await visitor.answer(requiredAnswer)
          await page.clock.runFor(500)
        }
        await visitor.submit()
        await expect(visitor.field('firstName')).toBeFocused()
        await expectNothingCutOff(page)
        // The toast never lies over the field that has focus.
        const covered = () =>
          page.evaluate(() => {
            const toast = document.querySelector('[aria-live] > [role=group]')?.getBoundingClientRect()
            const field = document.activeElement?.getBoundingClientRect()
            if (!toast || !field) return false
            return field.top < toast.bottom && field.bottom > toast.top && field.left < toast.right
          })
        await expect.poll(covered).toBe(false)
        await visitor.field('lastName').focus()
        await expect.poll(covered).toBe(false)
        await visitor.fillIn()
        await visitor.submit()
        await expect.poll(() => site.receiver.leads.length).toBe(1)
      })
    })
  }
})

test.describe('targets', () => {
  test.use({ bypassCSP: true })
  test('every target is at least 48 px high, but for links inside a sentence', async ({ visitor, page, watched }) => {
    for (const path of ['/', '/advertorial', '/thank-you', '/decline', '/no/such/page']) {
      await visitor.open(path)
      await visitor.unfold()
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('a[href],button,summary,input:not([type=hidden])')]
          .filter(element => !element.closest('.sr-only') && !element.matches('.sr-only') && element.checkVisibility())
          .map(element => [element.textContent, element.getBoundingClientRect().height] as const)
          .filter(([, height]) => height < 48),
      )
      expect(small, path).toEqual([])
    }
    watched.allow({ console: NOT_FOUND })
  })
})

test.describe('reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })
  test('nothing is animated and scrolling is not smooth', async ({ visitor, page }) => {
    await visitor.open('/')
    await visitor.ready()
    await visitor.answer(true)
    await expect(visitor.question(2)).toBeVisible()
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('auto')
  })
})

test('with motion allowed, a question arrives in 200 ms and calls to action scroll smoothly', async ({
  visitor,
  page,
}) => {
  await visitor.open('/')
  await visitor.ready()
  await visitor.answer(true)
  await expect(visitor.question(2)).toHaveCSS('animation-duration', '0.2s')
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('smooth')
})

test('a pointer that rests where the next question’s Yes appears does not make it look chosen', async ({ visitor }) => {
  const background = (name: string) => visitor.button(name).evaluate(button => getComputedStyle(button).backgroundColor)
  await visitor.open('/')
  await visitor.ready()
  await visitor.answer(true)
  await expect(visitor.question(2)).toBeVisible()
  expect(await visitor.button(questionnaire.yes).evaluate(button => button.matches(':hover'))).toBe(true)
  expect(await background(questionnaire.yes)).toBe(await background(questionnaire.no))
  await expect(visitor.button(questionnaire.yes).locator('svg')).toBeHidden()
})

test.describe('forced colours', () => {
  test.use({ contextOptions: { forcedColors: 'active' } })
  test('a pressed answer can be told by its outline, and the progress by a colour that stays', async ({ visitor }) => {
    await visitor.page.clock.install()
    await visitor.open('/')
    await visitor.ready()
    await visitor.stopTime()
    await visitor.answer(true)
    await expect(visitor.button(questionnaire.yes)).toHaveCSS('outline-style', 'solid')
    await expect(visitor.button(questionnaire.no)).toHaveCSS('outline-style', 'none')
    const { data, info } = await sharp(await visitor.panel.locator('progress').screenshot())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    // Along its middle: the seventh that is done, and what is left.
    const colorAt = (share: number) => {
      const at = 3 * (Math.floor(info.height / 2) * info.width + Math.floor(info.width * share))
      return [...data.subarray(at, at + 3)].join()
    }
    expect(colorAt(0.1)).not.toBe(colorAt(0.5))
    expect(colorAt(0.5)).toBe(colorAt(0.9))
  })
})
