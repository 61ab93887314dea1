/* GPL-3.0-or-later, as is all of this program: it links libsimavr.
 *
 * Owns addresses, bits and vectors of what the twin models itself of an ATmega2560 (data sheet 2549, register summary).
 */
#ifndef TWIN_ATMEGA2560_H
#define TWIN_ATMEGA2560_H

#define F_CPU_HZ 16000000u

enum {
    DDRA = 0x21, PORTA = 0x22, PINA = 0x20,
    DDRB = 0x24, PORTB = 0x25,
    DDRC = 0x27, PORTC = 0x28,
    DDRE = 0x2D, PORTE = 0x2E,
    EECR = 0x3F, EEDR = 0x40, EEARL = 0x41, EEARH = 0x42,
    SPCR = 0x4C, SPSR = 0x4D, SPDR = 0x4E,
    SMCR = 0x53, MCUSR = 0x54,
    WDTCSR = 0x60,
    ADCL = 0x78, ADCH = 0x79, ADCSRA = 0x7A, ADCSRB = 0x7B, ADMUX = 0x7C,
    TCCR3A = 0x90, TCCR3B = 0x91, OCR3AL = 0x98, OCR3AH = 0x99,
    UCSR0A = 0xC0, UCSR0B = 0xC1, UCSR0C = 0xC2, UBRR0L = 0xC4, UBRR0H = 0xC5, UDR0 = 0xC6,
    PINL = 0x109, DDRL = 0x10A, PORTL = 0x10B,
    RAM_START = 0x200, RAM_END = 0x21FF,
};

enum { /* EECR */ EERE = 0x01, EEPE = 0x02, EEMPE = 0x04, EERIE = 0x08, EEPM_SHIFT = 4, EEPM = 0x30 };
enum { /* SPCR */ SPIE = 0x80, SPE = 0x40, DORD = 0x20, MSTR = 0x10, CPOL = 0x08, CPHA = 0x04, SPR = 0x03 };
enum { /* SPSR */ SPIF = 0x80, SPI2X = 0x01 };
enum { /* SMCR */ SLEEP_ENABLE = 0x01 };
enum { /* MCUSR */ PORF = 0x01, EXTRF = 0x02, BORF = 0x04, WDRF = 0x08 };
enum { /* WDTCSR */ WDIF = 0x80, WDIE = 0x40, WDCE = 0x10, WDE = 0x08, WDP = 0x27 };
enum { /* ADCSRA */ ADEN = 0x80, ADSC = 0x40, ADATE = 0x20, ADIF = 0x10, ADIE = 0x08, ADPS = 0x07 };
enum { /* ADCSRB */ MUX5 = 0x08, ADTS = 0x07, /* ADMUX */ ADLAR = 0x20, MUX4_0 = 0x1F };
enum { /* UCSR0A */ RXC = 0x80, TXC = 0x40, UDRE = 0x20, FE = 0x10, DOR = 0x08, U2X = 0x02, MPCM = 0x01 };
enum { /* UCSR0B */ RXCIE = 0x80, TXCIE = 0x40, UDRIE = 0x20, RXEN = 0x10, TXEN = 0x08, UCSZ2 = 0x04 };
enum { /* UCSR0C */ UPM = 0x30, USBS = 0x08, UCSZ_SHIFT = 1, UCSZ = 0x06 };

enum { /* vector numbers */
    VECTOR_WDT = 12, VECTOR_SPI = 24, VECTOR_RX = 25, VECTOR_UDRE = 26, VECTOR_TX = 27, VECTOR_ADC = 29,
    VECTOR_EEPROM = 30,
};

enum { EEPROM_BYTES = 4096 };

#endif
