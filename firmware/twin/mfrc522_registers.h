/* GPL-3.0-or-later, as is all of this program. Owns the addresses of the MFRC522's registers (data sheet, table 20),
 * and what each holds after a reset and keeps of what is written (chapter 9.3). No code.
 */
#ifndef TWIN_MFRC522_REGISTERS_H
#define TWIN_MFRC522_REGISTERS_H

#include <stdint.h>

enum {
    COMMAND_REG = 0x01, COM_IRQ_ENABLE_REG = 0x02, DIV_IRQ_ENABLE_REG = 0x03, COM_IRQ_REG = 0x04, DIV_IRQ_REG = 0x05,
    ERROR_REG = 0x06, STATUS1_REG = 0x07, STATUS2_REG = 0x08, FIFO_DATA_REG = 0x09, FIFO_LEVEL_REG = 0x0A,
    WATER_LEVEL_REG = 0x0B, CONTROL_REG = 0x0C, BIT_FRAMING_REG = 0x0D, COLL_REG = 0x0E,
    MODE_REG = 0x11, TX_MODE_REG = 0x12, RX_MODE_REG = 0x13, TX_CONTROL_REG = 0x14, TX_ASK_REG = 0x15,
    TX_SEL_REG = 0x16, RX_SEL_REG = 0x17, RX_THRESHOLD_REG = 0x18, DEMOD_REG = 0x19, MF_TX_REG = 0x1C,
    MF_RX_REG = 0x1D, SERIAL_SPEED_REG = 0x1F,
    CRC_RESULT_HIGH_REG = 0x21, CRC_RESULT_LOW_REG = 0x22, MOD_WIDTH_REG = 0x24, RF_CFG_REG = 0x26, GSN_REG = 0x27,
    CW_GSP_REG = 0x28, MOD_GSP_REG = 0x29, T_MODE_REG = 0x2A, T_PRESCALER_REG = 0x2B, T_RELOAD_HIGH_REG = 0x2C,
    T_RELOAD_LOW_REG = 0x2D, T_COUNTER_HIGH_REG = 0x2E, T_COUNTER_LOW_REG = 0x2F,
    TEST_SEL1_REG = 0x31, TEST_SEL2_REG = 0x32, TEST_PIN_ENABLE_REG = 0x33, TEST_PIN_VALUE_REG = 0x34,
    AUTO_TEST_REG = 0x36, VERSION_REG = 0x37, ANALOG_TEST_REG = 0x38, TEST_DAC1_REG = 0x39, TEST_DAC2_REG = 0x3A,
};

static const struct {
    uint8_t reset, writable;
} mfrc522_plain[64] = {
    [COM_IRQ_ENABLE_REG] = {0x80, 0xFF}, [DIV_IRQ_ENABLE_REG] = {0x00, 0x94}, [STATUS2_REG] = {0x00, 0xC0},
    [WATER_LEVEL_REG] = {0x08, 0x3F},    [BIT_FRAMING_REG] = {0x00, 0xF7},    [COLL_REG] = {0x80, 0x80},
    [MODE_REG] = {0x3F, 0xAB},           [TX_MODE_REG] = {0x00, 0xF8},        [RX_MODE_REG] = {0x00, 0xFC},
    [TX_CONTROL_REG] = {0x80, 0xFB},     [TX_ASK_REG] = {0x00, 0x40},         [TX_SEL_REG] = {0x10, 0x3F},
    [RX_SEL_REG] = {0x84, 0xFF},         [RX_THRESHOLD_REG] = {0x84, 0xF7},   [DEMOD_REG] = {0x4D, 0xFF},
    [MF_TX_REG] = {0x62, 0x03},          [MF_RX_REG] = {0x00, 0x10},          [SERIAL_SPEED_REG] = {0xEB, 0xFF},
    [0x23] = {0x88, 0x00},               [MOD_WIDTH_REG] = {0x26, 0xFF},      [0x25] = {0x87, 0x00},
    [RF_CFG_REG] = {0x48, 0x70},         [GSN_REG] = {0x88, 0xFF},            [CW_GSP_REG] = {0x20, 0x3F},
    [MOD_GSP_REG] = {0x20, 0x3F},        [T_MODE_REG] = {0x00, 0xFF},         [T_PRESCALER_REG] = {0x00, 0xFF},
    [T_RELOAD_HIGH_REG] = {0x00, 0xFF},  [T_RELOAD_LOW_REG] = {0x00, 0xFF},   [TEST_SEL1_REG] = {0x00, 0x07},
    [TEST_SEL2_REG] = {0x00, 0xFF},      [TEST_PIN_ENABLE_REG] = {0x80, 0xFE}, [TEST_PIN_VALUE_REG] = {0x00, 0xFF},
    [AUTO_TEST_REG] = {0x40, 0x4F},      [ANALOG_TEST_REG] = {0x00, 0xFF},    [TEST_DAC1_REG] = {0x00, 0x3F},
    [TEST_DAC2_REG] = {0x00, 0x3F},
};

#endif
