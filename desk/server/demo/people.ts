/** People who do not exist. Their numbers begin with 555, and mail to example.org reaches nobody. */
import { ages } from '../../../content/figures.ts'
import type { Contact } from '../../../domain/lead.ts'
import { formatPhone } from '../../../domain/phone.ts'
import type { Chance } from './chance.ts'

const firstNames =
  `Adelaide Alton Bernice Beulah Calvin Clementine Constance Cornelius Cyrus Delphine Dorothea Earline Edgar
  Elmer Estelle Ezra Florence Forrest Geneva Gilbert Gwendolyn Harriet Hector Henrietta Hollis Ida Imogene Irving Josephine
  Kermit Lenora Leopold Lionel Loretta Lucinda Mabel Marcellus Millicent Minerva Myrtle Nestor Odessa Opal Orville Otis
  Percival Philippa Quincy Ramona Roscoe Rosalind Rufus Selma Sylvester Thaddeus Theodora Ulysses Verna Vivian Wendell
  Wilhelmina Winifred Zelda Zora José María Renée Noël`.split(/\s+/)

const lastNames =
  `Applegate Ashworth Beckenridge Birdwell Brackenbury Butterfield Cobblestone Crabtree Dandridge Dewberry
  Eastwick Fairweather Featherstone Fiddlewood Gooseberry Greenslade Halfpenny Hathersage Honeycutt Inglenook Jellicoe
  Kettleworth Larkspur Lightfoot Longfellow Marchbanks Merriweather Nettlefield Nightingale Oakenshaw Overstreet Partridge
  Pemberton Pettigrew Quillfeather Ravenscroft Rosewater Saltmarsh Silverthorne Snowbell Summerhayes Tattersall Thistlewood
  Tumbleweed Underhill Vanderhoof Waddington Weatherby Whittlesea Wigglesworth Winterbourne Yarborough Núñez O’Thistle`.split(
    /\s+/,
  )

/**
 * The same number never twice: whoever has it would be the same person. Each has said Yes to the question about age: also
 * before their birthday, and in the month before a new year.
 */
export function createPeople(chance: Chance, now: number): () => Contact {
  const year = new Date(now).getUTCFullYear()
  let made = 0
  return () => {
    made++
    const firstName = chance.one(firstNames)
    const lastName = chance.one(lastNames)
    const plain = (name: string) =>
      name
        .normalize('NFD')
        .replaceAll(/[^a-z]/gi, '')
        .toLowerCase()
    const month = String(chance.between(1, 12)).padStart(2, '0')
    const day = String(chance.between(1, 28)).padStart(2, '0')
    return {
      firstName,
      lastName,
      dateOfBirth: `${chance.between(year - ages.to, year - ages.from - 2)}-${month}-${day}`,
      email: `${plain(firstName)}.${plain(lastName)}${made}@example.org`,
      phone: formatPhone(`555${chance.between(201, 899)}${String(made).padStart(4, '0')}`),
    }
  }
}
